package dev.stowage.cli.diff;

import dev.stowage.cli.input.InputFormat;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** A kind of files that can be compared with each other. */
public enum ComparedKind {
  RECORDING("a recording of allocations"),
  PLAN("a model or a problem");

  private final String description;

  ComparedKind(String description) {
    this.description = description;
  }

  /** {@return the kind in a sentence: {@code a model or a problem}} */
  public String description() {
    return description;
  }

  /**
   * {@return the kind of a file; empty if it does not exist or cannot be read}
   *
   * <p>The extension decides, except for {@code .csv} and {@code .json} files: their first lines
   * do. The content of a pipe is a recording.
   *
   * @param options the options with which recordings are read
   */
  public static Optional<ComparedKind> of(String path, TraceOptions options) {
    try {
      Path file = Path.of(path);
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      Optional<InputFormat> format = InputFormat.of(path);
      if (format.isEmpty()) {
        return Optional.of(RECORDING);
      }
      return Optional.of(
          switch (format.get()) {
            case TFLITE, ONNX, XLA -> PLAN;
            case CSV, JSON ->
                Files.isRegularFile(file) && !TraceReader.isTrace(file, options) ? PLAN : RECORDING;
          });
    } catch (IOException | InvalidPathException e) {
      return Optional.empty(); // reading the file reports the error
    }
  }
}
