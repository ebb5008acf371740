package dev.stowage.tflite.micro;

/** The end of an arena, from which TensorFlow Lite Micro takes memory that it never frees. */
final class TailBytes {

  /** The largest size that is added; damaged models have larger ones. */
  private static final long MAX_BYTES = Integer.MAX_VALUE;

  private long bytes;

  /**
   * Takes memory.
   *
   * @param taken the size
   * @param alignment the alignment of its address; that of the end of the arena is a multiple of it
   */
  void add(long taken, long alignment) {
    bytes = Math.ceilDiv(bytes + Math.min(taken, MAX_BYTES), alignment) * alignment;
  }

  /** Takes memory as kernels do, whose data have the alignment of tensors. */
  void addData(long taken) {
    add(taken, MicroAlignment.BYTES);
  }

  /** {@return the bytes that are taken, with those that alignment costs} */
  long bytes() {
    return bytes;
  }
}
