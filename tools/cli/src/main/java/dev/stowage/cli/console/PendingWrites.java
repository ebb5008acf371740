package dev.stowage.cli.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * The writes of a program to outputs whose reader may be slow or absent: its streams, and pipes and
 * devices that its options name.
 *
 * <p>The operating system blocks such a write, also after a signal. A program that is to end can
 * thus learn that it waits for a reader.
 */
public final class PendingWrites {

  private static final ScopedValue<PendingWrites> OF_PROGRAM = ScopedValue.newInstance();

  /** The time between two looks, and the number of looks at the same write. */
  private static final long PAUSE_MILLIS = 100;

  private static final int LOOKS = 6;

  private final AtomicLong begunCount = new AtomicLong();
  private final AtomicLong endedCount = new AtomicLong();

  /** The opening of an output, which blocks if it is a pipe without a reader. */
  public interface Opening {

    /** {@return the open output} */
    OutputStream open() throws IOException;
  }

  /** A step of writing. */
  private interface Step {
    void run() throws IOException;
  }

  /** {@return the writes of the program that runs; others than it have writes of their own} */
  public static PendingWrites ofProgram() {
    return OF_PROGRAM.isBound() ? OF_PROGRAM.get() : new PendingWrites();
  }

  /**
   * Runs the program with these writes.
   *
   * @return its exit code
   */
  public int run(IntSupplier program) {
    return ScopedValue.where(OF_PROGRAM, this).call(program::getAsInt);
  }

  /** {@return an output that is opened, and whose writes are among these} */
  public OutputStream open(Opening opening) throws IOException {
    begunCount.incrementAndGet();
    try {
      return to(opening.open());
    } finally {
      endedCount.incrementAndGet();
    }
  }

  /** {@return an output whose writes are among these} */
  public OutputStream to(OutputStream target) {
    return new FilterOutputStream(target) {

      @Override
      public void write(int b) throws IOException {
        count(() -> target.write(b));
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        count(() -> target.write(bytes, offset, length));
      }

      @Override
      public void flush() throws IOException {
        count(target::flush);
      }
    };
  }

  private void count(Step step) throws IOException {
    begunCount.incrementAndGet();
    try {
      step.run();
    } finally {
      endedCount.incrementAndGet();
    }
  }

  /** Waits until a write has made no progress for 0.6 seconds. */
  public void awaitBlocked() throws InterruptedException {
    long seen = -1;
    int looks = 0;
    while (looks < LOOKS) {
      Thread.sleep(PAUSE_MILLIS);
      long ended = endedCount.get();
      boolean isSame = ended == seen && begunCount.get() > ended;
      looks = isSame ? looks + 1 : 0;
      seen = ended;
    }
  }
}
