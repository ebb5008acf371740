package dev.stowage.core.bfc;

import java.util.Locale;
import java.util.OptionalLong;

/** The calls of foreign code by an allocator, which must not call the allocator back. */
final class Callbacks {

  /*
   * The thread that holds the lock calls listeners, sub-allocators and visitors within an operation.
   * The lock is re-entrant and would let this thread start a second operation inside the first one.
   * This class rejects it. Other threads wait for the lock.
   *
   * The allocator's lock guards all fields.
   */

  private final String allocator;

  /** True while foreign code runs. */
  private boolean isRunning;

  /** The foreign code that runs, or ran last, as messages call it. */
  private String running = "";

  Callbacks(String allocator) {
    this.allocator = allocator;
  }

  /**
   * Checks that no foreign code runs.
   *
   * @throws IllegalStateException if foreign code runs; then it is the caller
   */
  void checkNone() {
    if (isRunning) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the %s of allocator '%s' must not call it; call the allocator after the callback has returned",
              running,
              allocator));
    }
  }

  /** Calls a listener. */
  void tell(Runnable call) {
    begin("listener");
    try {
      call.run();
    } finally {
      end();
    }
  }

  private void begin(String code) {
    running = code;
    isRunning = true;
  }

  private void end() {
    isRunning = false;
  }

  /** {@return a sub-allocator whose calls, and those of its visitors, count as foreign code} */
  SubAllocator noting(SubAllocator noted) {
    return new SubAllocator() {
      @Override
      public OptionalLong allocate(long bytes) {
        begin("sub-allocator");
        try {
          return noted.allocate(bytes);
        } finally {
          end();
        }
      }

      @Override
      public void free(long address, long bytes) {
        begin("sub-allocator");
        try {
          noted.free(address, bytes);
        } finally {
          end();
        }
      }

      @Override
      public boolean resize(long address, long bytes, long newBytes) {
        begin("sub-allocator");
        try {
          return noted.resize(address, bytes, newBytes);
        } finally {
          end();
        }
      }

      @Override
      public boolean lengthens() {
        return noted.lengthens();
      }

      @Override
      public long granularityBytes() {
        return noted.granularityBytes();
      }

      @Override
      public long alignmentBytes() {
        return noted.alignmentBytes();
      }
    };
  }
}
