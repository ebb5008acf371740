package dev.stowage.memory.pool;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A listener that gets all events, except failures of requests that the pool tries again, and hears
 * that a stream reuses memory.
 */
final class RetryListener implements AllocationListener {

  private final AllocationListener listener;

  /** The thread whose request is tried again if it fails; the lock of the pool admits one. */
  private volatile Optional<Thread> trying = Optional.empty();

  /** The thread whose request reuses memory, likewise. */
  private volatile Optional<Thread> reusing = Optional.empty();

  RetryListener(AllocationListener listener) {
    this.listener = listener;
  }

  /** {@return the result of a request that the pool tries again if it fails} */
  OptionalLong attempt(Supplier<OptionalLong> request) {
    trying = Optional.of(Thread.currentThread());
    try {
      return request.get();
    } finally {
      trying = Optional.empty();
    }
  }

  /** {@return the result of a reuse of memory by its stream} */
  boolean reuse(BooleanSupplier reuse) {
    reusing = Optional.of(Thread.currentThread());
    try {
      return reuse.getAsBoolean();
    } finally {
      reusing = Optional.empty();
    }
  }

  @Override
  public void unrepeatable(String cause) {
    listener.unrepeatable(cause);
  }

  @SuppressWarnings("ReferenceEquality") // a thread class of the caller may override equals
  private static boolean isThis(Optional<Thread> caller) {
    return caller.filter(thread -> thread == Thread.currentThread()).isPresent();
  }

  @Override
  public void allocated(Allocation allocation) {
    listener.allocated(allocation);
  }

  @Override
  public void freed(long id) {
    if (isThis(reusing)) {
      listener.unrepeatable(
          "Streams reused memory before its work was completed: the replay places such requests anew.");
    }
    listener.freed(id);
  }

  @Override
  public void failed(long bytes) {
    if (!isThis(trying)) {
      listener.failed(bytes);
    }
  }
}
