package dev.stowage.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** A stream that keeps its first failure, which {@link java.io.PrintWriter} does not report. */
final class FailureTrackingOutput extends FilterOutputStream {

  private Optional<String> failure = Optional.empty();

  FailureTrackingOutput(OutputStream target) {
    super(target);
  }

  /** {@return the operating system's message of the first failure, or empty if there is none} */
  Optional<String> failure() {
    return failure;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      if (failure.isEmpty()) {
        failure = Optional.of(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }
}
