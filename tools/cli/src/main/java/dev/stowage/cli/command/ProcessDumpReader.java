package dev.stowage.cli.command;

import dev.stowage.cli.run.Diagnostics;
import dev.stowage.process.ProcessDump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Reads processes, and dumps of processes from files. */
final class ProcessDumpReader {

  private final Diagnostics diagnostics;
  private final boolean collects;

  /**
   * Creates a reader.
   *
   * @param collects true if the garbage of processes is collected
   */
  ProcessDumpReader(Diagnostics diagnostics, boolean collects) {
    this.diagnostics = diagnostics;
    this.collects = collects;
  }

  /** {@return true if a word is the number of a process, and not the path of a dump} */
  static boolean isProcess(String word) {
    return word.matches("-?[0-9]+");
  }

  /** {@return true if a word is no number, and neither is nor looks like the path of a dump} */
  static boolean isStrayWord(String word) {
    return word.matches("[^./\\\\]+") && !isProcess(word) && !Files.exists(Path.of(word));
  }

  /** {@return the name of a process or dump in messages} */
  static String name(String word) {
    return isProcess(word) ? "process " + Long.parseLong(word) : word;
  }

  /**
   * {@return the dump of a process, or the one in a file; empty if there is none, with a message}
   */
  Optional<ProcessDump> read(String word) {
    try {
      return Optional.of(isProcess(word) ? dump(Long.parseLong(word)) : parse(word));
    } catch (IllegalArgumentException e) {
      diagnostics.report("%s: %s", word, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      report(word, e);
    }
    return Optional.empty();
  }

  private ProcessDump dump(long pid) throws IOException {
    return collects ? ProcessDump.ofCollected(pid) : ProcessDump.of(pid);
  }

  /** {@return the dump of a process, whose virtual machine has a limited time to answer} */
  ProcessDump dump(long pid, Duration limit) throws IOException {
    return collects ? ProcessDump.ofCollected(pid, limit) : ProcessDump.of(pid, limit);
  }

  private static ProcessDump parse(String path) throws IOException {
    // Paths of the process may be in any encoding.
    return ProcessDump.parse(new String(Files.readAllBytes(Path.of(path)), StandardCharsets.UTF_8));
  }

  /** Prints the reason why a process or a dump cannot be read. */
  void report(String word, IOException failure) {
    String name = name(word);
    if (isProcess(word) && failure instanceof NoSuchFileException) {
      diagnostics.report(
          "%s: does not exist or has ended, expected the number of a running process on Linux",
          name);
    } else if (isProcess(word) && failure instanceof AccessDeniedException) {
      diagnostics.report(
          "%s: its memory must not be read, expected a process of your own; or run the command with"
              + " the capability CAP_SYS_PTRACE, as root has it",
          name);
    } else {
      diagnostics.reportFailure(name, failure);
    }
  }
}
