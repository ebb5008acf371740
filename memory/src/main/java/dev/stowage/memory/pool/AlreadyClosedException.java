package dev.stowage.memory.pool;

/** The use of an arena that is closed, in the words of the JDK. */
final class AlreadyClosedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  AlreadyClosedException() {
    super("Already closed");
  }
}
