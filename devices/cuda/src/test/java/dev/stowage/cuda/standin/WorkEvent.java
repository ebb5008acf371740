package dev.stowage.cuda.standin;

import java.util.Optional;

/** An event. Its records have numbers, from 1. */
final class WorkEvent {

  private final Gpu gpu;
  private Optional<WorkStream> stream = Optional.empty();
  private long recordedNumber;
  private long doneNumber;

  WorkEvent(Gpu gpu) {
    this.gpu = gpu;
  }

  Gpu gpu() {
    return gpu;
  }

  /** Queues a record. */
  void recordIn(WorkStream target) {
    recordedNumber++;
    stream = Optional.of(target);
    target.enqueue(new Work.EventRecord(this, recordedNumber));
  }

  /** {@return the number of the last record; 0 if there is none} */
  long recordedNumber() {
    return recordedNumber;
  }

  void complete(long number) {
    doneNumber = Math.max(doneNumber, number);
  }

  boolean isDone() {
    return doneNumber == recordedNumber;
  }

  /** Runs one piece of the work that the last record waits for. */
  void runOne() {
    stream.orElseThrow().runOne();
  }

  /** Runs the stream of the last record until a record is done. */
  void runUntil(long number) {
    while (doneNumber < number && stream.filter(WorkStream::hasWork).isPresent()) {
      runOne();
    }
  }
}
