package dev.stowage.cli;

import dev.stowage.cli.input.GivenDimensions;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.onnx.OnnxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/** Files that are read without options. */
public final class ReadInput {

  private ReadInput() {}

  /** {@return the records of a model or problem} */
  public static PlanInput of(Path file) throws IOException {
    return new InputReader(
            OnnxOptions.defaults(),
            Optional.empty(),
            InputStream.nullInputStream(),
            GivenDimensions.NONE)
        .read(file.toString());
  }
}
