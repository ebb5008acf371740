package dev.stowage.cli;

import dev.stowage.cli.text.Printable;
import dev.stowage.onnx.OpenDimensionsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** What a command tells its user beside the results: errors, notes, files written. */
final class Complaints {

  private final PrintWriter err;

  Complaints(PrintWriter err) {
    this.err = err;
  }

  void complain(String message) {
    // One line each, and nothing that a terminal would obey, whatever a file is called or says.
    err.println("stowage: " + Printable.of(message));
  }

  void note(String file, String note) {
    complain("note: %s: %s".formatted(file, note));
  }

  /** {@return which dimensions a model leaves open, and how to fix them} */
  static String sentence(OpenDimensionsException e) {
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
