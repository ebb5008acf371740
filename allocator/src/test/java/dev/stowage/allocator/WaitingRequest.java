package dev.stowage.allocator;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A thread with a request that may wait. */
final class WaitingRequest {

  static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final FutureTask<Long> task;
  private final Thread thread;

  private WaitingRequest(Thread.Builder kind, Callable<Long> request) {
    task = new FutureTask<>(request);
    thread = kind.start(task);
  }

  /** Starts a request that may wait, and {@return it} */
  static WaitingRequest asked(BfcAllocator allocator, long bytes, Duration timeout) {
    return new WaitingRequest(
        Thread.ofPlatform().daemon(), () -> allocator.allocateOrWait(bytes, 256, timeout));
  }

  /** Starts a request that may wait for a budget, and {@return it} */
  static WaitingRequest asked(AllocationBudget budget, long bytes, Duration timeout) {
    return new WaitingRequest(
        Thread.ofPlatform().daemon(), () -> budget.allocateOrWait(bytes, 256, timeout));
  }

  /** Starts a request for a budget, waits until it is queued, and {@return it} */
  static WaitingRequest waiting(BfcAllocator allocator, AllocationBudget budget, long bytes) {
    int before = allocator.waitingRequests();
    WaitingRequest request = asked(budget, bytes, FOREVER);
    while (allocator.waitingRequests() == before) {
      Thread.onSpinWait();
    }
    return request;
  }

  /** Starts a request that does not wait, until it has ended or needs a lock, and {@return it} */
  static WaitingRequest begun(AllocationBudget budget, long bytes) {
    WaitingRequest request =
        new WaitingRequest(Thread.ofPlatform().daemon(), () -> budget.allocate(bytes));
    while (request.thread.getState() == Thread.State.NEW
        || request.thread.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    return request;
  }

  boolean isDone() {
    return task.isDone();
  }

  /** Starts a request, waits until it is queued, and {@return it} */
  static WaitingRequest waiting(BfcAllocator allocator, long bytes) {
    return waiting(Thread.ofPlatform().daemon(), allocator, bytes);
  }

  static WaitingRequest waiting(Thread.Builder kind, BfcAllocator allocator, long bytes) {
    int before = allocator.waitingRequests();
    WaitingRequest request =
        new WaitingRequest(kind, () -> allocator.allocateOrWait(bytes, 256, FOREVER));
    while (allocator.waitingRequests() == before) {
      Thread.onSpinWait();
    }
    return request;
  }

  void interrupt() {
    thread.interrupt();
  }

  /** Waits for the address and {@return it} */
  long address() throws Exception {
    return task.get();
  }

  /** Waits for the failure and {@return it} */
  Throwable failure() throws InterruptedException {
    try {
      throw new AssertionError("was answered with " + task.get());
    } catch (ExecutionException _) {
      return task.exceptionNow();
    }
  }
}
