package dev.stowage.cli.run;

import dev.stowage.cli.failure.Failure;
import dev.stowage.cli.failure.FailureReader;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The hint that {@code explain} reads a file, for texts of failures given to other commands. */
final class FailureHint {

  /** The most bytes of a file that is searched for the text of a failure. */
  private static final long MAX_BYTES = 256L << 20;

  private static final int HEAD_BYTES = 4096;

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
      if (!Files.isRegularFile(path) || Files.size(path) > MAX_BYTES || !isText(path)) {
        return false;
      }
      try (InputStream in = Files.newInputStream(path)) {
        return FailureReader.read(in)
            .last()
            .filter(failure -> failure.cause() != Failure.Cause.GROWTH)
            .isPresent();
      }
    } catch (IOException | InvalidPathException e) {
      return false; // the reader of the format reports the error
    }
  }

  /** {@return false if a file starts with bytes that no text has; a model would take seconds} */
  private static boolean isText(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(HEAD_BYTES);
      boolean isPackedOrWide =
          start.length > 1
              && List.of("1f8b", "fffe", "feff").contains(HexFormat.of().formatHex(start, 0, 2));
      return isPackedOrWide || new String(start, StandardCharsets.ISO_8859_1).indexOf('\0') < 0;
    }
  }
}
