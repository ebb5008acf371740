package dev.stowage.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The standard output, with its first failure, which {@link java.io.PrintWriter} does not report.
 */
final class TrackedOutput extends FilterOutputStream {

  /*
   * A failed write has only a message of the C library, in the language of the user. The kind of
   * the file therefore tells whether a reader is gone: a write to a pipe fails only in that case.
   */

  private static final int KIND = 0170000;
  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private Optional<String> failure = Optional.empty();

  /** The number of writes that have ended. */
  private final AtomicLong writeCount = new AtomicLong();

  TrackedOutput(OutputStream target) {
    super(target);
  }

  /** {@return the operating system's message of the first failure, or empty if there is none} */
  Optional<String> failure() {
    return failure;
  }

  /** {@return the number of writes that have ended; it stands still if the reader does not read} */
  long writeCount() {
    return writeCount.get();
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
      writeCount.incrementAndGet();
    } catch (IOException e) {
      if (failure.isEmpty()) {
        failure = Optional.of(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  /** {@return true if the file is a pipe or a socket, such as the pipe between two commands} */
  static boolean isPipe(Path file) {
    try {
      int mode = (int) Files.getAttribute(file, "unix:mode");
      return (mode & KIND) == PIPE || (mode & KIND) == SOCKET;
    } catch (IOException _) {
      return false;
    }
  }
}
