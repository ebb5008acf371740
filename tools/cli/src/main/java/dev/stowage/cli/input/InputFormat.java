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
  XLA(XlaDumpReader.BUFFERS);

  private final String suffix;

  InputFormat(String suffix) {
    this.suffix = suffix;
  }

  /** {@return the format with the extension, or the end, of a file name} */
  public static Optional<InputFormat> of(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    String unpacked = name.endsWith(XLA.suffix + ".gz") ? XLA.suffix : name;
    return Stream.of(values()).filter(format -> unpacked.endsWith(format.suffix)).findFirst();
  }
}
