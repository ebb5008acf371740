package dev.stowage.cuda;

/** How many use something that ends when the last of them goes. Safe for use by many threads. */
final class Holds {

  private final Runnable end;
  private int count = 1;

  /**
   * Something with one user.
   *
   * @param end what the last one to go does
   */
  Holds(Runnable end) {
    this.end = end;
  }

  /** Adds a user and {@return whether it could, that is, whether there still was one} */
  synchronized boolean tryHold() {
    if (count == 0) {
      return false;
    }
    count++;
    return true;
  }

  /** Takes a user away. */
  void release() {
    if (isLast()) {
      end.run();
    }
  }

  private synchronized boolean isLast() {
    if (count == 0) {
      throw new AssertionError("something was released once too often");
    }
    return --count == 0;
  }
}
