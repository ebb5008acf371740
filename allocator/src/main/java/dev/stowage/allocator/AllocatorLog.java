package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The log messages of an allocator: growth and release of regions, and requests without room. Safe
 * for use by many threads.
 */
final class AllocatorLog {

  /*
   * A handler of the log is code of the program. It may use the allocator, or wait for another thread
   * that does. Therefore the thread that holds the allocator's lock only notes a message, and an
   * operation writes all notes after it has released the lock.
   *
   * The report of a failure has up to forty lines. A program that catches each failure would fill
   * its log. Therefore only failures 1, 2, 4, 8 and so on are warnings with a report. Each other
   * failure is one line at a lower level.
   */

  static final System.Logger LOGGER = System.getLogger(AllocatorLog.class.getPackageName());

  private final String allocator;
  private final System.Logger logger;

  /** False if the memory is only simulated. */
  private final boolean isEnabled;

  /** The bytes of all regions; guarded by the allocator's lock. */
  private long reservedBytes;

  /** Guarded by itself. */
  private final List<String> notes = new ArrayList<>();

  /** True if there may be notes; a thread that reads an old value leaves them to the next one. */
  private boolean hasNotes;

  /** Guarded by {@link #notes}. */
  private long failedRequests;

  AllocatorLog(String allocator, System.Logger logger, boolean isEnabled) {
    this.allocator = allocator;
    this.logger = logger;
    this.isEnabled = isEnabled;
  }

  /** {@return a log of a private pool} */
  AllocatorLog ofPool(String pool) {
    return new AllocatorLog(pool, logger, isEnabled);
  }

  /** Notes that regions became longer, with the allocator's lock. */
  void grew(long address, long bytes) {
    reservedBytes += bytes;
    note("allocator '%s' grew by %s at 0x%x: %s reserved.", bytes, address);
  }

  /** Notes that regions became shorter, with the allocator's lock. */
  void shrank(long address, long bytes) {
    reservedBytes -= bytes;
    note("allocator '%s' returned %s at 0x%x: %s reserved.", bytes, address);
  }

  private void note(String format, long bytes, long address) {
    if (isEnabled && logger.isLoggable(Level.DEBUG)) {
      String note =
          String.format(
              Locale.ROOT,
              format,
              allocator,
              ByteCount.exact(bytes),
              address,
              ByteCount.text(reservedBytes));
      synchronized (notes) {
        notes.add(note);
        hasNotes = true;
      }
    }
  }

  /** Writes the notes, without the allocator's lock. */
  void writeNotes() {
    if (hasNotes) {
      takeNotes().forEach(note -> logger.log(Level.DEBUG, note));
    }
  }

  private List<String> takeNotes() {
    synchronized (notes) {
      List<String> taken = List.copyOf(notes);
      notes.clear();
      hasNotes = false;
      return taken;
    }
  }

  /** Writes the notes and a failed request, without the allocator's lock. */
  void failed(BfcOutOfMemoryException failure) {
    long number;
    synchronized (notes) {
      number = ++failedRequests;
    }
    writeNotes();
    if (!isEnabled) {
      return;
    }
    if (Long.bitCount(number) == 1) {
      logger.log(Level.WARNING, () -> withReport(failure, number));
    } else {
      logger.log(Level.DEBUG, failure::getMessage);
    }
  }

  private static String withReport(BfcOutOfMemoryException failure, long number) {
    return String.format(
        Locale.ROOT,
        "%s%n%s%nThis is failure %d of the allocator; the next warning is failure %d.",
        failure.getMessage(),
        failure.report(),
        number,
        2 * number);
  }

  /** {@return the number of failed requests so far} */
  long failedRequests() {
    synchronized (notes) {
      return failedRequests;
    }
  }
}
