package dev.stowage.memory.tensor;

import dev.stowage.core.bfc.CallerStack;
import java.util.Optional;

/** Memory, and how many tensors use it; safe for use by many threads. */
final class TensorBuffer {

  private final TensorMemory memory;
  private final String tag;
  private final boolean keepsStacks;
  private long references = 1;

  /**
   * Memory that one tensor uses.
   *
   * @param tag the path of tags under which it was taken
   * @param keepsStacks whether tensors in it keep the stacks that made them
   */
  TensorBuffer(TensorMemory memory, String tag, boolean keepsStacks) {
    this.memory = memory;
    this.tag = tag;
    this.keepsStacks = keepsStacks;
  }

  TensorMemory memory() {
    return memory;
  }

  String tag() {
    return tag;
  }

  /** {@return the stack of a tensor's maker, if that is kept} */
  Optional<CallerStack> stack() {
    return keepsStacks ? Optional.of(new CallerStack()) : Optional.empty();
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
