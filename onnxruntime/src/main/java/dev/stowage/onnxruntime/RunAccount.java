package dev.stowage.onnxruntime;

/**
 * The bytes of one run, from its request to the end of its permit. Guarded by the ledger's lock.
 */
final class RunAccount {

  private enum State {
    WAITING,
    OPEN,
    CLOSED
  }

  private final SessionAccount session;
  private final long boundBytes;
  private final long arrival;
  private final Runnable wake;
  private State state = State.WAITING;
  private long usedBytes;
  private long peakBytes;

  /**
   * Creates an account that waits.
   *
   * @param boundBytes the declared bytes
   * @param arrival the number of the request, in the order of arrival
   * @param wake runs with the lock when the request is admitted
   */
  RunAccount(SessionAccount session, long boundBytes, long arrival, Runnable wake) {
    this.session = session;
    this.boundBytes = boundBytes;
    this.arrival = arrival;
    this.wake = wake;
  }

  SessionAccount session() {
    return session;
  }

  long boundBytes() {
    return boundBytes;
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

  long usedBytes() {
    return usedBytes;
  }

  long peakBytes() {
    return peakBytes;
  }

  /** {@return the bytes that other runs cannot have while this run is open} */
  long chargedBytes() {
    return Math.max(boundBytes, usedBytes);
  }

  /** Admits the run. */
  void open() {
    state = State.OPEN;
    wake.run();
  }

  /** Ends the run or its wait; its bytes in use become the session's. */
  void close() {
    state = State.CLOSED;
    usedBytes = 0;
  }

  /** Adds bytes in use, or removes them if negative. */
  void use(long bytes) {
    usedBytes += bytes;
    peakBytes = Math.max(peakBytes, usedBytes);
  }
}
