package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.GivenDimensions;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.TensorScope;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of commands that plan models. */
public final class ModelOptions {

  @Option(
      names = "--io",
      order = ShortHelp.RARE,
      description = "Also plan the inputs and outputs of a model.")
  private boolean io;

  @Option(
      names = "--dim",
      paramLabel = "NAME=N",
      converter = DimensionOption.Converter.class,
      description = {
        "Set a dimension that an .onnx model leaves open, such as batch=1;",
        "repeatable. input[0]=1 sets the first dimension of an input.",
        "A range, such as batch=1..32, is planned for the largest size of each",
        "tensor. stowage plan also sets dimensions of sizes in .csv and .json",
        "files."
      })
  private List<DimensionOption> dimensions = List.of();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the options of model readers, with the dimensions that have one size}
   *
   * @throws ParameterException if a dimension has two sizes
   */
  public OnnxOptions toOptions() {
    OnnxOptions options = OnnxOptions.defaults();
    if (io) {
      options = options.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);
    }
    DimensionOption.checkDifferent(dimensions.stream().map(DimensionOption::name).toList(), spec);
    for (DimensionOption dimension : dimensions) {
      if (!dimension.isRange()) {
        options = options.withDimension(dimension.name(), dimension.first());
      }
    }
    return options;
  }

  /** {@return true if a dimension has a range} */
  public boolean hasRanges() {
    return dimensions.stream().anyMatch(DimensionOption::isRange);
  }

  /** {@return the dimensions with their ranges or sizes} */
  public GivenDimensions given() {
    return DimensionOption.given(dimensions, spec);
  }
}
