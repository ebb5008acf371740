package dev.stowage.memory.tensor;

import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.function.Consumer;

/** One tensor's hold on its buffer; safe for use by many threads. */
final class TensorLease implements Runnable {

  /*
   * A cleaner runs this when its tensor is gone, so that it must not know the tensor. Memory of a
   * forgotten tensor is not given back: a segment of it may be in use, and is a better reason to
   * live than the tensor was. The one cleaner has a thread, which starts with the first tensor.
   */

  private static final System.Logger LOGGER = System.getLogger("dev.stowage.memory");
  private static final Cleaner CLEANER = Cleaner.create();

  private final String tensor;
  private final long bytes;
  private final TensorBuffer buffer;
  private final Consumer<String> report;
  private boolean released;

  TensorLease(String tensor, long bytes, TensorBuffer buffer) {
    this(tensor, bytes, buffer, text -> LOGGER.log(System.Logger.Level.WARNING, text));
  }

  /** A hold whose being forgotten is told to someone. */
  TensorLease(String tensor, long bytes, TensorBuffer buffer, Consumer<String> report) {
    this.tensor = tensor;
    this.bytes = bytes;
    this.buffer = buffer;
    this.report = report;
  }

  /** {@return what ends the watch for something to be forgotten} */
  Cleaner.Cleanable watch(Object watched) {
    return CLEANER.register(watched, this);
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

  /** Tells of a tensor that was forgotten. */
  @Override
  public void run() {
    if (!isReleased()) {
      report.accept(describe());
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
