package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.GivenDimensions;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.ProblemFormat;
import dev.stowage.cli.run.Usage;
import dev.stowage.onnx.OnnxOptions;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The format of problems from the standard input or with another extension. */
public final class InputFormatOption {

  @Option(
      names = "--input-format",
      order = ShortHelp.RARE,
      paramLabel = "F",
      description = {
        "csv or json: the format of the standard input, whose FILE is -, and",
        "of each FILE without the extension .csv, .json, .tflite or .onnx."
      })
  private Optional<ProblemFormat> inputFormat = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return a reader of files}
   *
   * @param files the files as on the command line
   * @param options the options of model readers
   * @param dimensions the dimensions of the command line
   * @param standardInput the input that {@code -} reads
   * @throws ParameterException if the files contradict the option
   */
  public InputReader reader(
      List<String> files,
      OnnxOptions options,
      GivenDimensions dimensions,
      InputStream standardInput) {
    if (inputFormat.isEmpty() && files.contains(InputReader.STANDARD_INPUT)) {
      throw Usage.error(
          spec,
          "the format of '-', the standard input, is unknown: add --input-format csv or json");
    }
    return new InputReader(options, inputFormat, standardInput, dimensions);
  }
}
