package dev.stowage.allocator;

import java.util.Locale;

/**
 * The cause of a failed request, which decides the changes that can help.
 *
 * <p>One class decides it for allocators, replays and texts of failures alike.
 */
public enum OutOfMemoryVerdict {
  /** The request and the bytes in use exceed the available memory: no other placement helps. */
  DOES_NOT_FIT,

  /** Enough bytes are free, or lost to rounding, but no hole is large enough. */
  FRAGMENTED,

  /** The device refused memory, although its free bytes and the limit would have been enough. */
  REFUSED,

  /** A limit that the program set is reached; the memory below it may have more. */
  LIMIT,

  /** A hole of the request became free too late: the same request passes if it is repeated. */
  TRANSIENT,

  /** The known numbers do not tell the cause. */
  UNKNOWN;

  /** {@return the verdict in reports and JSON, such as {@code does_not_fit}} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
