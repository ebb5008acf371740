package dev.stowage.cli.command;

import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.NativeTrim;
import dev.stowage.process.ProcessDump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Reads processes, and dumps of processes from files. */
final class ProcessDumpReader {

  /** The heading of a section. Only dumps have such headings. */
  private static final Pattern SECTION = Pattern.compile("(?m)^\uFEFF?== \\S");

  /** The least time for an answer: the interval of samples may be shorter. */
  private static final Duration LEAST_LIMIT = Duration.ofSeconds(1);

  private final boolean collects;

  /**
   * Creates a reader.
   *
   * @param collects true if the garbage of processes is collected
   */
  ProcessDumpReader(boolean collects) {
    this.collects = collects;
  }

  /** {@return true if a word is the number of a process, and not the path of a dump} */
  static boolean isProcess(String word) {
    return word.matches("[0-9]{1,18}");
  }

  /** {@return true if a word is neither a number nor a file, and does not look like a path} */
  static boolean isStrayWord(String word) {
    return word.matches("[^./\\\\]+") && !isProcess(word) && !Files.exists(Path.of(word));
  }

  /** {@return true if all words are paths of files, and one or more of the files are no dumps} */
  static boolean arePasted(List<String> words) throws IOException {
    boolean isPasted = false;
    for (String word : words) {
      if (isProcess(word) || !Files.isRegularFile(Path.of(word))) {
        return false;
      }
      String text = new String(Files.readAllBytes(Path.of(word)), StandardCharsets.ISO_8859_1);
      isPasted |= !SECTION.matcher(text).find();
    }
    return isPasted;
  }

  /** {@return the name of a process or dump in messages} */
  static String name(String word) {
    return isProcess(word) ? "process " + Long.parseLong(word) : word;
  }

  /**
   * {@return the dump of a process, or the one in a file}
   *
   * @throws IOException if the file cannot be read
   * @throws InputRefusedException if the process cannot be read, or the file is no dump
   */
  ProcessDump read(String word) throws IOException, InputRefusedException {
    try {
      if (!isProcess(word)) {
        // Paths of the process may be in any encoding.
        byte[] bytes = Files.readAllBytes(Path.of(word));
        return ProcessDump.parse(new String(bytes, StandardCharsets.UTF_8));
      }
      return dump(Long.parseLong(word), Duration.ofMinutes(5));
    } catch (IllegalArgumentException e) {
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw failure(word, e);
    }
  }

  private ProcessDump dump(long pid, Duration limit) throws IOException {
    return collects ? ProcessDump.ofCollected(pid, limit) : ProcessDump.of(pid, limit);
  }

  /**
   * {@return a source of dumps of a running process}
   *
   * @param interval the most time in which the virtual machine answers, if it is a second or more
   */
  Interruption.Work<ProcessDump, IOException> following(String process, Duration interval) {
    long pid = Long.parseLong(process);
    Duration limit = interval.compareTo(LEAST_LIMIT) < 0 ? LEAST_LIMIT : interval;
    return () -> dump(pid, limit);
  }

  /**
   * Trims the C heap of a process, and {@return the resident bytes before}
   *
   * @throws InputRefusedException if the process has no function for that
   */
  long trim(String process) throws IOException, InputRefusedException {
    long pid = Long.parseLong(process);
    try {
      long before = MemoryByOwner.of(pid).residentBytes();
      if (!NativeTrim.run(pid)) {
        throw new InputRefusedException(
            "malloc_trim was not called: --trim needs a Java virtual machine of JDK 21 or newer, and glibc; omit --trim");
      }
      return before;
    } catch (IOException e) {
      throw failure(process, e);
    }
  }

  /**
   * {@return the failure to read a file}
   *
   * @throws InputRefusedException if the input is a process, with the remedy
   */
  static IOException failure(String word, IOException failure) throws InputRefusedException {
    if (isProcess(word) && failure instanceof NoSuchFileException) {
      throw new InputRefusedException(
          "does not exist or has ended, expected the number of a running process on Linux");
    }
    if (isProcess(word) && failure instanceof AccessDeniedException) {
      throw new InputRefusedException(
          "its memory must not be read; run the command as the user of the process, or as root (capability CAP_SYS_PTRACE)");
    }
    return failure;
  }
}
