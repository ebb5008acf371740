package dev.stowage.cli;

/** What ONNX Runtime computes with its optimizations, and takes, is another on other processors. */
final class EngineFigures {

  private EngineFigures() {}

  /** {@return what {@code stowage verify} prints, without these figures} */
  static String without(String printed) {
    return printed
        .replaceAll("(ONNX Runtime's own peak).*", "$1")
        .replaceAll("(identical +0).*", "$1");
  }
}
