package dev.stowage.memory.tensor;

/** Memory, and how many tensors use it; safe for use by many threads. */
final class TensorBuffer {

  private final TensorMemory memory;
  private final String tag;
  private long references = 1;

  /**
   * Memory that one tensor uses.
   *
   * @param tag the path of tags under which it was taken
   */
  TensorBuffer(TensorMemory memory, String tag) {
    this.memory = memory;
    this.tag = tag;
  }

  TensorMemory memory() {
    return memory;
  }

  String tag() {
    return tag;
  }

  synchronized long references() {
    return references;
  }

  /** Counts one more tensor, and returns whether there was one still. */
  synchronized boolean retain() {
    if (references == 0) {
      return false;
    }
    references++;
    return true;
  }

  /** Counts one less; the last one frees the memory, unless that fails. */
  synchronized void release() {
    if (references == 1) {
      memory.free();
    }
    references--;
  }
}
