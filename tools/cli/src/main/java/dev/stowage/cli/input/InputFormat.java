package dev.stowage.cli.input;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The formats of files that can be planned. */
public enum InputFormat {
  TFLITE(".tflite"),
  ONNX(".onnx"),
  CSV(".csv"),
  JSON(".json"),
  XLA(XlaFiles.BUFFERS);

  private final String suffix;

  InputFormat(String suffix) {
    this.suffix = suffix;
  }

  /** {@return the format with the extension, or the end, of a file name} */
  public static Optional<InputFormat> of(String path) {
    if (XlaFiles.isBuffers(path)) {
      return Optional.of(XLA);
    }
    String name = path.toLowerCase(Locale.ROOT);
    return Stream.of(values()).filter(format -> name.endsWith(format.suffix)).findFirst();
  }
}
