package dev.stowage.onnxruntime;

import java.util.Optional;

/** The bytes of one run, from its request to its end. Guarded by the ledger's lock. */
final class RunAccount {

  private enum State {
    WAITING,
    OPEN,
    ENDED
  }

  private final SessionAccount session;
  private final long boundBytes;
  private final boolean needsRange;
  private final long arrival;
  private final Runnable wake;
  private State state = State.WAITING;
  private Optional<String> obstacle = Optional.empty();
  private Optional<RunRange> range = Optional.empty();
  private long rangeUsedBytes;

  /** The extent in the range, after the range was removed. */
  private long lastExtentBytes;

  private long otherUsedBytes;
  private long otherPeakBytes;

  /**
   * Creates an account that waits.
   *
   * @param boundBytes the declared bytes
   * @param needsRange true if the run allocates from a range of its own
   * @param arrival the number of the request, in the order of arrival
   * @param wake runs with the lock when the request is admitted or rejected
   */
  RunAccount(
      SessionAccount session, long boundBytes, boolean needsRange, long arrival, Runnable wake) {
    this.session = session;
    this.boundBytes = boundBytes;
    this.needsRange = needsRange;
    this.arrival = arrival;
    this.wake = wake;
  }

  SessionAccount session() {
    return session;
  }

  long boundBytes() {
    return boundBytes;
  }

  boolean needsRange() {
    return needsRange;
  }

  long arrival() {
    return arrival;
  }

  boolean isWaiting() {
    return state == State.WAITING;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  /** {@return the reason for which the request was rejected, if it was} */
  Optional<String> obstacle() {
    return obstacle;
  }

  /** {@return the range from which the run allocates, if it has one} */
  Optional<RunRange> range() {
    return range;
  }

  /** {@return true if bytes in the range are in use} */
  boolean isRangeUsed() {
    return rangeUsedBytes > 0;
  }

  long usedBytes() {
    return rangeUsedBytes + otherUsedBytes;
  }

  /** {@return the bytes with which the run would have been within its bound until now} */
  long peakBytes() {
    return otherPeakBytes + (range.isPresent() ? range.get().extentBytes() : lastExtentBytes);
  }

  /** {@return the bytes that other runs cannot have} */
  long chargedBytes() {
    return range.isPresent() ? boundBytes + otherUsedBytes : Math.max(boundBytes, otherUsedBytes);
  }

  /** {@return true if the run has used more than its bound} */
  boolean isOverrun() {
    return otherPeakBytes > (range.isPresent() ? 0 : boundBytes);
  }

  /** Admits the run. */
  void open(Optional<RunRange> taken) {
    range = taken;
    state = State.OPEN;
    wake.run();
  }

  /** Ends the wait of a request that cannot be admitted. */
  void reject(String reason) {
    obstacle = Optional.of(reason);
    state = State.ENDED;
    wake.run();
  }

  /** Ends the run or its wait. */
  void end() {
    state = State.ENDED;
  }

  /** Adds bytes in use, or removes them if negative. */
  void use(long bytes, boolean isInRange) {
    if (isInRange) {
      rangeUsedBytes += bytes;
    } else {
      otherUsedBytes += bytes;
      otherPeakBytes = Math.max(otherPeakBytes, otherUsedBytes);
    }
  }

  /** Removes the range, in which no bytes are in use. */
  void removeRange() {
    lastExtentBytes = range.orElseThrow().extentBytes();
    range = Optional.empty();
  }
}
