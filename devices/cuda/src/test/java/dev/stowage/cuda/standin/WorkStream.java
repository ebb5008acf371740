package dev.stowage.cuda.standin;

import java.util.ArrayDeque;
import java.util.Deque;

/** A stream: a queue of work that runs only when a caller waits. */
final class WorkStream {

  private final Gpu gpu;
  private final FailurePlan failures;
  private final Deque<Work> queue = new ArrayDeque<>();
  private Result failure = Result.SUCCESS;

  WorkStream(Gpu gpu, FailurePlan failures) {
    this.gpu = gpu;
    this.failures = failures;
  }

  Gpu gpu() {
    return gpu;
  }

  void enqueue(Work work) {
    queue.add(work);
  }

  /**
   * Queues a copy or fill.
   *
   * @throws CallFailure if it cannot run now, or for no bytes: a driver accepts these, but no
   *     caller should request them
   */
  void enqueueAccess(Work.Access access) {
    Result.INVALID_VALUE.unless(access.bytes() > 0 && access.canRun());
    enqueue(access);
  }

  boolean hasWork() {
    return !queue.isEmpty();
  }

  /** Runs the first work of the queue. */
  void runOne() {
    switch (queue.remove()) {
      case Work.EventRecord(WorkEvent event, long number) -> event.complete(number);
      case Work.EventWait(WorkEvent event, long number) -> event.runUntil(number);
      case Work.Access access -> run(access);
    }
  }

  private void run(Work.Access access) {
    if (!failures.fails("work") && access.canRun()) {
      access.run();
    } else {
      failure = Result.ILLEGAL_ADDRESS;
    }
  }

  /** Runs all work and {@return success, or the failure since the last call} */
  Result finish() {
    while (hasWork()) {
      runOne();
    }
    Result result = failure;
    failure = Result.SUCCESS;
    return result;
  }
}
