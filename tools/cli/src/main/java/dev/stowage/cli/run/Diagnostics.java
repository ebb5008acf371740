package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.onnx.OpenDimensionsException;
import dev.stowage.onnx.engine.MissingEngineException;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The messages of a command on the standard error: errors, notes, files written. */
public final class Diagnostics {

  public static final String BUG =
      "this is a bug in Stowage; please report it, with the output of --debug";

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean isDebug;
  private final CommandSpec command;

  private Diagnostics(CommandSpec command) {
    this.command = command;
    out = command.commandLine().getOut();
    err = command.commandLine().getErr();
    isDebug = command.root().findOption("--debug").getValue();
  }

  public static Diagnostics of(CommandSpec command) {
    return new Diagnostics(command);
  }

  /** Prints a message on one line. Control characters, as in names of files, are replaced. */
  public void report(String message) {
    err.println("stowage: " + Printable.of(message));
  }

  /** Prints a formatted message on one line. */
  public void report(String format, Object first, Object... others) {
    report(Usage.text(format, first, others));
  }

  /** Prints the command to run next, unless the reader of the results is gone. */
  public void next(String command) {
    if (!out.checkError()) {
      err.println("Next: " + Printable.of(command));
    }
  }

  /** Prints a note on a file. */
  public void note(String file, String note) {
    report("note: " + file + ": " + note);
  }

  /** Prints the reason why a file has no result and {@return the exit code} */
  public int reportFailure(String file, Throwable failure) {
    report(failureText(file, failure));
    return switch (failure) {
      case IOException _, InputRefusedException _, MissingEngineException _ -> ExitCode.BAD_INPUT;
      case OutOfMemoryError _ -> ExitCode.FAILED;
      default -> {
        if (isDebug) {
          failure.printStackTrace(err);
        }
        yield ExitCode.FAILED;
      }
    };
  }

  /** {@return the reason why a file has no result} */
  String failureText(String file, Throwable failure) {
    if (file.isEmpty() && failure instanceof IOException) {
      return "the name of a FILE is empty, expected the path of a file";
    }
    return switch (failure) {
      case MalformedFileException e when isLackOfMemory(e.getCause()) ->
          e.getMessage() + "; " + largerHeap();
      case MalformedFileException e -> FailureHint.of(e).orElse(String.valueOf(e.getMessage()));
      case OpenDimensionsException e -> sentence(e);
      case IOException e -> Text.of("%s: cannot be read: %s", file, reason(e));
      case InputRefusedException _ -> file + ": " + failure.getMessage();
      case MissingEngineException e ->
          file + ": " + e.getMessage() + (e.isArtifactMissing() ? engineRemedy() : "");
      case OutOfMemoryError _ -> file + ": out of memory; " + largerHeap();
      default -> Text.of("%s: %s: %s", file, failure, BUG);
    };
  }

  /** {@return the place for the engine's jar in the download of the command; else empty} */
  private static String engineRemedy() {
    String libraries = System.getProperty("stowage.libraries", "");
    return libraries.isEmpty()
        ? ""
        : Text.of(": copy its jar from Maven Central into the folder %s", libraries);
  }

  /** {@return the command line with a larger heap} */
  private String largerHeap() {
    return ShellLine.withLargerHeap(command.root().commandLine().getParseResult().originalArgs());
  }

  /** The work that writes a file. */
  public interface Writing {

    void run() throws IOException;
  }

  /**
   * Writes a file, prints that it is written or the reason why it is not, and {@return the exit
   * code}
   */
  public int write(String file, Writing writing) {
    try {
      writing.run();
      report("wrote " + file);
      return ExitCode.DONE;
    } catch (IOException e) {
      return reportUnwritten(file, e);
    }
  }

  /** Writes a text file, prints that or the reason why not, and {@return the exit code} */
  public int write(String file, WholeFile.Content content) {
    return write(file, () -> new WholeFile(file).write(content));
  }

  /**
   * Writes text files and {@return the gravest exit code}
   *
   * @param contents the contents by the extensions of the files
   */
  public int write(List<String> files, Map<String, WholeFile.Content> contents) {
    int exitCode = ExitCode.DONE;
    for (String file : files) {
      for (Map.Entry<String, WholeFile.Content> content : contents.entrySet()) {
        if (OutputPaths.endsIn(file, content.getKey())) {
          exitCode = ExitCode.graver(exitCode, write(file, content.getValue()));
        }
      }
    }
    return exitCode;
  }

  /** Prints that a file cannot be written and {@return the exit code} */
  public int reportUnwritten(String file, IOException e) {
    report("%s: cannot be written: %s", file, reason(e));
    return ExitCode.FAILED;
  }

  private static boolean isLackOfMemory(@Nullable Throwable cause) {
    return cause instanceof OutOfMemoryError || cause instanceof NegativeArraySizeException;
  }

  /** {@return the open dimensions of a model and the options that fix them} */
  private static String sentence(OpenDimensionsException e) {
    return e.getMessage()
        + "; set them, for example with"
        + e.names().stream()
            .map(name -> " --dim " + ShellLine.word(name + "=1"))
            .collect(Collectors.joining());
  }

  /** {@return the reason of the operating system; some exceptions have only the file as message} */
  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException none -> "there is no such file or folder";
      case AccessDeniedException denied -> "access is denied";
      case CharacterCodingException none -> "an id or a name is not valid Unicode";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
