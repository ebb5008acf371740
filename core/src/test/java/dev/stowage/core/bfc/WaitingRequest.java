package dev.stowage.core.bfc;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A thread that asks an allocator for bytes and waits for them. */
final class WaitingRequest {

  static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final FutureTask<Long> task;
  private final Thread thread;

  private WaitingRequest(
      Thread.Builder kind, BfcAllocator allocator, long bytes, Duration timeout) {
    task = new FutureTask<>(() -> allocator.allocateOrWait(bytes, 256, timeout));
    thread = kind.start(task);
  }

  /** {@return a request that has just been asked and may wait} */
  static WaitingRequest asked(BfcAllocator allocator, long bytes, Duration timeout) {
    return new WaitingRequest(Thread.ofPlatform().daemon(), allocator, bytes, timeout);
  }

  /** {@return a request that waits, behind those that waited before} */
  static WaitingRequest waiting(BfcAllocator allocator, long bytes) {
    return waiting(Thread.ofPlatform().daemon(), allocator, bytes);
  }

  static WaitingRequest waiting(Thread.Builder kind, BfcAllocator allocator, long bytes) {
    int before = allocator.waitingRequests();
    WaitingRequest request = new WaitingRequest(kind, allocator, bytes, FOREVER);
    while (allocator.waitingRequests() == before) {
      Thread.onSpinWait();
    }
    return request;
  }

  void interrupt() {
    thread.interrupt();
  }

  /** {@return its address, as soon as it has one} */
  long address() throws Exception {
    return task.get();
  }

  /** {@return what it has failed of, as soon as it has} */
  Throwable failure() throws InterruptedException {
    try {
      throw new AssertionError("was answered with " + task.get());
    } catch (ExecutionException _) {
      return task.exceptionNow();
    }
  }
}
