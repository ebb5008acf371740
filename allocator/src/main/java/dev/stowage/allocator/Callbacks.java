package dev.stowage.allocator;

import java.util.Locale;
import java.util.OptionalLong;

/** A guard against foreign code that calls an allocator while the allocator is calling it. */
final class Callbacks {

  /*
   * The thread that holds the lock calls listeners, sub-allocators and visitors within an operation.
   * The lock is re-entrant, so this thread could start a second operation within the first one.
   * This class rejects the second one. Other threads wait for the lock.
   *
   * The allocator's lock guards all fields. The front cache reads isRunning without it, which a
   * callback has set in the same thread.
   */

  private final String allocator;

  /** True while foreign code runs. */
  private boolean isRunning;

  /** The name, in messages, of the foreign code that is running or ran last. */
  private String running = "";

  Callbacks(String allocator) {
    this.allocator = allocator;
  }

  /**
   * Checks that no foreign code runs.
   *
   * @throws IllegalStateException if foreign code is running, which is then the caller
   */
  void checkNotCalledBack() {
    if (isRunning) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the %s of allocator '%s' must not call it; call the allocator after the callback has returned",
              running,
              allocator));
    }
  }

  /** {@return true if foreign code runs; without the lock, true at least if it is the caller} */
  boolean isRunning() {
    return isRunning;
  }

  /** Calls a listener. */
  void callListener(Runnable call) {
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

  /** {@return a sub-allocator; its calls and the calls of its visitors count as foreign code} */
  SubAllocator tracking(SubAllocator tracked) {
    return new ForwardingSubAllocator(tracked) {
      @Override
      public OptionalLong allocate(long bytes) {
        begin("sub-allocator");
        try {
          return super.allocate(bytes);
        } finally {
          end();
        }
      }

      @Override
      public void free(long address, long bytes) {
        begin("sub-allocator");
        try {
          super.free(address, bytes);
        } finally {
          end();
        }
      }

      @Override
      public boolean resize(long address, long bytes, long newBytes) {
        begin("sub-allocator");
        try {
          return super.resize(address, bytes, newBytes);
        } finally {
          end();
        }
      }
    };
  }
}
