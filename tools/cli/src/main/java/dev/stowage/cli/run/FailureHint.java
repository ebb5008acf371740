package dev.stowage.cli.run;

import dev.stowage.cli.failure.Failure;
import dev.stowage.cli.failure.FailureReader;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.plan.MalformedFileException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The hint that {@code explain} reads a file, for texts of failures given to other commands. */
final class FailureHint {

  /** The most bytes of a file that are searched for the text of a failure. */
  private static final int MOST_BYTES = 4 << 20;

  private FailureHint() {}

  /** {@return the reason why a file is not of any format; empty if it has no text of a failure} */
  static Optional<String> of(MalformedFileException problem) {
    boolean isOfWholeFile =
        problem.place().isEmpty() || String.valueOf(problem.getMessage()).contains("a report that");
    return isOfWholeFile && hasFailure(problem.source())
        ? Optional.of(
            problem.source()
                + ": is the text of a failure; run: "
                + ShellLine.of(List.of("explain", problem.source())))
        : Optional.empty();
  }

  private static boolean hasFailure(String file) {
    try {
      Path path = Path.of(file);
      if (!Files.isRegularFile(path)) {
        return false; // a pipe cannot be read twice
      }
      try (InputStream in = Files.newInputStream(path)) {
        return FailureReader.read(new ByteArrayInputStream(in.readNBytes(MOST_BYTES)))
            .last()
            .filter(failure -> failure.cause() != Failure.Cause.GROWTH)
            .isPresent();
      }
    } catch (IOException | InvalidPathException e) {
      return false; // the reader of the format reports the error
    }
  }
}
