package dev.stowage.cli;

import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.text.Printable;
import dev.stowage.core.MalformedFileException;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import dev.stowage.onnx.MissingEngineException;
import dev.stowage.onnx.OpenDimensionsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** What a command tells its user beside the results: errors, notes, files written. */
final class Complaints {

  static final String BUG = "this is a bug of Stowage, please report it";

  static final String OUT_OF_MEMORY =
      "out of memory: JAVA_TOOL_OPTIONS=-Xmx8g, for example, gives it 8 gibibytes";

  /** How the operating system begins; the JDK adds a guess. */
  private static final String LOOP = "Too many levels of symbolic links";

  private final PrintWriter err;
  private final boolean isDebug;

  private Complaints(PrintWriter err, boolean isDebug) {
    this.err = err;
    this.isDebug = isDebug;
  }

  /** {@return the complaints of a command} */
  static Complaints of(CommandSpec command) {
    return new Complaints(command.commandLine().getErr(), Stowage.of(command).isDebug());
  }

  void complain(String message) {
    // One line each, and nothing that a terminal would obey, whatever a file is called or says.
    err.println("stowage: " + Printable.of(message));
  }

  void note(String file, String note) {
    complain(String.format(Locale.ROOT, "note: %s: %s", file, note));
  }

  /**
   * Says why an input has no result and {@return the exit code}
   *
   * <p>Every failure ends here, so that one input never affects another.
   */
  int complainOf(String file, Throwable failure) {
    if (file.isEmpty() && failure instanceof IOException) {
      complain("a FILE is empty, expected a name");
      return ExitCode.BAD_INPUT;
    }
    switch (failure) {
      case IOException e -> complainOf(file, e);
      case InputRefusedException e -> complain(file + ": " + e.getMessage());
      case MissingEngineException e -> complain(file + ": " + e.getMessage());
      case OutOfMemoryError e -> {
        complain(file + ": " + OUT_OF_MEMORY);
        return ExitCode.FAILED;
      }
      default -> {
        complain(String.format(Locale.ROOT, "%s: %s: %s", file, failure, BUG));
        if (isDebug) {
          failure.printStackTrace(err);
        }
        return ExitCode.FAILED;
      }
    }
    return ExitCode.BAD_INPUT;
  }

  /** Says which strategies ran out of memory for a file and {@return the exit code} */
  int complainOfMemory(String file, List<MemoryStrategy> strategies) {
    String names = strategies.stream().map(MemoryStrategy::name).collect(Collectors.joining(", "));
    complain(String.format(Locale.ROOT, "%s: no plan of %s: %s", file, names, OUT_OF_MEMORY));
    return ExitCode.FAILED;
  }

  /**
   * Says that a signal ended the command before some files were done.
   *
   * @param done what was to be done with the files, such as {@code checked}
   * @param files those that are not done
   */
  void complainOfInterruption(String done, List<String> files) {
    files.forEach(
        file -> complain(String.format(Locale.ROOT, "interrupted: not %s: %s", done, file)));
  }

  /** Says why a file could not be read. */
  void complainOf(String file, IOException e) {
    complain(
        switch (e) {
          case MalformedFileException malformed -> String.valueOf(malformed.getMessage());
          case OpenDimensionsException open -> sentence(open);
          default -> String.format(Locale.ROOT, "%s: cannot be read: %s", file, reason(e));
        });
  }

  /** {@return which dimensions a model leaves open, and how to fix them} */
  private static String sentence(OpenDimensionsException e) {
    return e.getMessage()
        + "; fix them, as in"
        + e.names().stream()
            .map(name -> " --dim " + ShellWord.of(name + "=1"))
            .collect(Collectors.joining());
  }

  /** {@return what the operating system says; its errors name the file alone where that is all} */
  static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException none -> "there is no such file or folder";
      case AccessDeniedException denied -> "access is denied";
      case FileSystemException loop
          when loop.getReason() != null && loop.getReason().startsWith(LOOP) ->
          "it is a loop of symbolic links";
      case CharacterCodingException none -> "an id or a name is not valid Unicode";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }

  /** {@return whether two outputs are one file, which may not exist yet} */
  static boolean isSamePath(String output, String other) {
    return Path.of(output)
            .toAbsolutePath()
            .normalize()
            .equals(Path.of(other).toAbsolutePath().normalize())
        || isSame(output, other);
  }

  /** {@return whether an output is the input itself: writing it would lose the input} */
  static boolean isSame(String output, String input) {
    try {
      return Files.exists(Path.of(output)) && Files.isSameFile(Path.of(output), Path.of(input));
    } catch (IOException e) {
      // It cannot be looked at, and will say so when it is read or written.
      return false;
    }
  }
}
