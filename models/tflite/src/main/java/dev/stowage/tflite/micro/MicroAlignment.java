package dev.stowage.tflite.micro;

/** The alignment of all sizes and offsets in the arena of TensorFlow Lite Micro. */
final class MicroAlignment {

  static final long BYTES = 16;

  private MicroAlignment() {}

  /** {@return a number of bytes, rounded up to the alignment} */
  static long roundedUp(long bytes) {
    return Math.ceilDiv(bytes, BYTES) * BYTES;
  }
}
