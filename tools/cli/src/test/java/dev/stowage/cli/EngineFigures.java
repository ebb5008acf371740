package dev.stowage.cli;

/** The figures of ONNX Runtime that depend on the processor: optimized results and its peak. */
final class EngineFigures {

  private EngineFigures() {}

  /** {@return the output of {@code stowage verify} without these figures} */
  static String without(String printed) {
    return printed
        .replaceAll("(ONNX Runtime's own peak).*", "$1")
        .replaceAll("(identical +0).*", "$1");
  }
}
