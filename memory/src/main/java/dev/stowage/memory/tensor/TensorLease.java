package dev.stowage.memory.tensor;

import dev.stowage.core.bfc.CallerStack;
import dev.stowage.memory.lifetime.Forgotten;
import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** One tensor's hold on its buffer; safe for use by many threads. */
final class TensorLease {

  private final String tensor;
  private final long bytes;
  private final TensorBuffer buffer;
  private final Forgotten forgotten;
  private boolean released;

  TensorLease(String tensor, long bytes, TensorBuffer buffer, Optional<CallerStack> stack) {
    this(tensor, bytes, buffer, stack, Forgotten::warn);
  }

  /** A hold whose being forgotten is told to a listener. */
  TensorLease(
      String tensor,
      long bytes,
      TensorBuffer buffer,
      Optional<CallerStack> stack,
      Consumer<String> report) {
    this.tensor = tensor;
    this.bytes = bytes;
    this.buffer = buffer;
    this.forgotten = new Forgotten(() -> !isReleased(), this::describe, stack, report);
  }

  /** {@return what ends the watch for something to be forgotten} */
  Cleaner.Cleanable watch(Object watched) {
    return forgotten.watch(watched);
  }

  synchronized boolean isReleased() {
    return released;
  }

  synchronized void release() {
    if (!released) {
      buffer.release();
      released = true;
    }
  }

  private String describe() {
    return String.format(
        Locale.ROOT,
        "tensor '%s' of %d bytes was forgotten, its memory is not given back: close() it; its memory was taken under tag '%s'",
        tensor,
        bytes,
        buffer.tag());
  }
}
