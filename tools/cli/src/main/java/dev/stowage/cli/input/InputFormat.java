package dev.stowage.cli.input;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The formats of files that can be planned. */
enum InputFormat {
  TFLITE,
  ONNX,
  CSV,
  JSON;

  /** {@return the format with the extension of a file name} */
  static Optional<InputFormat> of(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    return Stream.of(values())
        .filter(format -> name.endsWith("." + format.name().toLowerCase(Locale.ROOT)))
        .findFirst();
  }
}
