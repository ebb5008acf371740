package dev.stowage.memory.tensor;

import dev.stowage.allocator.internal.CallerStack;
import dev.stowage.memory.lifetime.UnclosedReport;
import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** One tensor's reference to its buffer; safe for use by many threads. */
final class TensorLease {

  private final String tensor;
  private final long bytes;
  private final TensorBuffer buffer;
  private final UnclosedReport unclosed;
  private boolean released;

  TensorLease(String tensor, long bytes, TensorBuffer buffer, Optional<CallerStack> stack) {
    this(tensor, bytes, buffer, stack, UnclosedReport::warn);
  }

  /** Creates a reference with a listener for its report. */
  TensorLease(
      String tensor,
      long bytes,
      TensorBuffer buffer,
      Optional<CallerStack> stack,
      Consumer<String> report) {
    this.tensor = tensor;
    this.bytes = bytes;
    this.buffer = buffer;
    this.unclosed =
        new UnclosedReport(
            () -> buffer.ownsMemory() && !isReleased(), this::describe, stack, report);
  }

  /** Watches the tensor and {@return the end of the watch} */
  Cleaner.Cleanable watch(Object watched) {
    return unclosed.watch(watched);
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
        "tensor '%s' of %d bytes became unreachable without being closed, and its memory, allocated under tag '%s', stays in use: call close()",
        tensor,
        bytes,
        buffer.tag());
  }
}
