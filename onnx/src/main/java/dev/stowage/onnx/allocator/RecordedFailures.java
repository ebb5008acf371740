package dev.stowage.onnx.allocator;

import dev.stowage.core.bfc.BfcOutOfMemoryException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What failed while the engine waited for an answer, kept until someone can be told. */
final class RecordedFailures {

  private final AtomicReference<@Nullable BfcOutOfMemoryException> shortage =
      new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
  private final AtomicLong refusals = new AtomicLong();

  /** {@return whether a refused request is kept, so that another one need not be explained} */
  boolean hasShortage() {
    return shortage.get() != null;
  }

  /** Counts a refused request. */
  void refused() {
    refusals.incrementAndGet();
  }

  /** Counts a refused request, and keeps its reason if it is the first. */
  void refused(BfcOutOfMemoryException reason) {
    refused();
    shortage.compareAndSet(null, reason);
  }

  /** Keeps what was thrown, if it is the first. */
  void thrown(Throwable thrown) {
    fault.compareAndSet(null, thrown);
  }

  /** {@return how many requests were refused, ever} */
  long refusals() {
    return refusals.get();
  }

  /** Throws what is kept, which is forgotten then; a fault before a shortage. */
  void raise() {
    Throwable first = fault.getAndSet(null);
    if (first != null) {
      throw new IllegalStateException(
          "a request of ONNX Runtime was answered, but its listener or memory failed: " + first,
          first);
    }
    BfcOutOfMemoryException refused = shortage.getAndSet(null);
    if (refused != null) {
      throw refused;
    }
  }
}
