package dev.stowage.memory.pool;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Passes all events to a listener, except failures of requests that the pool tries again. */
final class RetryListener implements AllocationListener {

  private final AllocationListener listener;

  /** The thread with a request that is tried again if it fails; the lock of the pool admits one. */
  private volatile Optional<Thread> trying = Optional.empty();

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

  @Override
  public void allocated(Allocation allocation) {
    listener.allocated(allocation);
  }

  @Override
  public void unrepeatable(String cause) {
    listener.unrepeatable(cause);
  }

  @Override
  public void freed(long id) {
    listener.freed(id);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a thread class of the caller may override equals
  public void failed(long bytes) {
    if (trying.filter(thread -> thread == Thread.currentThread()).isEmpty()) {
      listener.failed(bytes);
    }
  }
}
