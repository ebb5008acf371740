package dev.stowage.memory.tensor;

import dev.stowage.allocator.internal.CallerStack;
import java.util.Optional;

/** Memory with a count of the tensors that use it; safe for use by many threads. */
final class TensorBuffer {

  private final TensorMemory memory;
  private final String tag;
  private final boolean keepsStacks;
  private long references = 1;

  /**
   * Creates the memory of one tensor.
   *
   * @param tag the path of tags of the allocation
   * @param keepsStacks true if tensors keep the stacks of their creation
   */
  TensorBuffer(TensorMemory memory, String tag, boolean keepsStacks) {
    this.memory = memory;
    this.tag = tag;
    this.keepsStacks = keepsStacks;
  }

  TensorMemory memory() {
    return memory;
  }

  /** {@return false if the caller owns the memory, which no unclosed tensor keeps in use} */
  boolean ownsMemory() {
    return !(memory instanceof TensorMemory.Wrapped);
  }

  String tag() {
    return tag;
  }

  /** {@return the current stack, for a new tensor, if the buffer keeps stacks} */
  Optional<CallerStack> stack() {
    return keepsStacks ? Optional.of(new CallerStack()) : Optional.empty();
  }

  synchronized long references() {
    return references;
  }

  /** Counts one more tensor and {@return false if all tensors are closed} */
  synchronized boolean retain() {
    if (references == 0) {
      return false;
    }
    references++;
    return true;
  }

  /** Counts one tensor less; the last one frees the memory. */
  synchronized void release() {
    if (references == 1) {
      memory.free();
    }
    references--;
  }
}
