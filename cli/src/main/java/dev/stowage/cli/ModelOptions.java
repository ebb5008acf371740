package dev.stowage.cli;

import dev.stowage.core.plan.TensorScope;
import dev.stowage.onnx.OnnxOptions;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every command that reads models. */
final class ModelOptions {

  @Option(names = "--io", description = "Also plan the inputs and outputs of a model.")
  private boolean io;

  @Option(
      names = "--dim",
      paramLabel = "NAME=N",
      converter = FixedDimension.Converter.class,
      description = {
        "Set a dimension that an .onnx model leaves open, such as batch=1;",
        "repeatable. input[0]=1 sets the first dimension of an input."
      })
  private List<FixedDimension> dimensions = List.of();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the options of model readers}
   *
   * @throws ParameterException if a dimension has two sizes
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
            String.format(Locale.ROOT, "--dim sets '%s' twice, expected once", dimension.name()));
      }
      options = options.withDimension(dimension.name(), dimension.size());
    }
    return options;
  }
}
