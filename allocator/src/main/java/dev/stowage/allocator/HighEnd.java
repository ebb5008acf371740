package dev.stowage.allocator;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** The requests from the high end of an allocator with two ends. */
final class HighEnd implements AllocationSource {

  private final BfcAllocator allocator;

  HighEnd(BfcAllocator allocator) {
    this.allocator = allocator;
  }

  @Override
  public long allocate(long bytes, long alignment) {
    return allocator.allocate(bytes, alignment, TwoEnds.FROM_HIGH, allocator.origin());
  }

  @Override
  public OptionalLong tryAllocate(long bytes, long alignment) {
    return allocator.tryAllocate(bytes, alignment, TwoEnds.FROM_HIGH, allocator.origin());
  }

  @Override
  public long allocateOrWait(long bytes, long alignment, Duration timeout)
      throws InterruptedException {
    return allocateOrWait(bytes, alignment, timeout, LockSupport::parkNanos);
  }

  @Override
  public long allocateOrWait(long bytes, long alignment, Duration timeout, LongConsumer pause)
      throws InterruptedException {
    return allocator.allocateOrWait(bytes, alignment, TwoEnds.FROM_HIGH, timeout, pause);
  }
}
