package dev.stowage.cli;

import dev.stowage.core.plan.TensorScope;
import dev.stowage.onnx.OnnxOptions;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of every command that reads models. */
final class ModelOptions {

  @Option(names = "--io", description = "Plan a model's inputs and outputs, too.")
  private boolean io;

  @Option(
      names = "--dim",
      paramLabel = "NAME=N",
      converter = FixedDimension.Converter.class,
      description = {
        "Fix a dimension that an .onnx model leaves open: batch=1; repeatable.",
        "One without a name is that of an input: input[0]=1."
      })
  private List<FixedDimension> dimensions = List.of();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return how to read a model}
   *
   * @throws ParameterException if a dimension is given twice
   */
  OnnxOptions toOptions() {
    OnnxOptions options = OnnxOptions.defaults();
    if (io) {
      options = options.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);
    }
    for (FixedDimension dimension : dimensions) {
      if (options.dimensions().containsKey(dimension.name())) {
        throw new ParameterException(
            spec.commandLine(),
            String.format(Locale.ROOT, "--dim gives '%s' twice, expected once", dimension.name()));
      }
      options = options.withDimension(dimension.name(), dimension.size());
    }
    return options;
  }
}
