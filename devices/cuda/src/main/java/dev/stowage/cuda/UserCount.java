package dev.stowage.cuda;

/** Counts the users of a resource; the last one to leave ends it. Safe for use by many threads. */
final class UserCount {

  private final Runnable end;
  private int count = 1;

  /**
   * Creates a resource with one user.
   *
   * @param end ends the resource
   */
  UserCount(Runnable end) {
    this.end = end;
  }

  /** Adds a user unless the resource has ended, and {@return true if it was added} */
  synchronized boolean tryHold() {
    if (count == 0) {
      return false;
    }
    count++;
    return true;
  }

  /** Removes a user. */
  void release() {
    if (isLast()) {
      end.run();
    }
  }

  private synchronized boolean isLast() {
    if (count == 0) {
      throw new AssertionError("a resource was released more often than held");
    }
    return --count == 0;
  }
}
