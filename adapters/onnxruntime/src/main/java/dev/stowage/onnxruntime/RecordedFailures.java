package dev.stowage.onnxruntime;

import dev.stowage.allocator.BfcOutOfMemoryException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The failures of requests of ONNX Runtime, kept until the program calls {@code check()}. */
final class RecordedFailures {

  private final AtomicReference<@Nullable BfcOutOfMemoryException> shortage =
      new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
  private final AtomicLong refusals = new AtomicLong();

  /** {@return true if a refused request is recorded, so that the next one needs no explanation} */
  boolean hasShortage() {
    return shortage.get() != null;
  }

  /** Counts a refused request. */
  void refused() {
    refusals.incrementAndGet();
  }

  /** Counts a refused request and records its reason if it is the first. */
  void refused(BfcOutOfMemoryException reason) {
    refused();
    shortage.compareAndSet(null, reason);
  }

  /** Records an exception if it is the first. */
  void record(Throwable thrown) {
    fault.compareAndSet(null, thrown);
  }

  /** {@return the number of requests refused since the allocator was registered} */
  long refusals() {
    return refusals.get();
  }

  /** Throws the recorded failure and removes it: an exception first, then a refused request. */
  void throwFirst() {
    Throwable first = fault.getAndSet(null);
    if (first != null) {
      throw new IllegalStateException(
          "the listener or the system failed during a request of ONNX Runtime: " + first, first);
    }
    BfcOutOfMemoryException refused = shortage.getAndSet(null);
    if (refused != null) {
      throw refused;
    }
  }
}
