package dev.stowage.cli.budget;

import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine on which a service is measured. */
public final class MeasuredMachine {

  private static final Path MEMORY = Path.of("/proc/meminfo");
  private static final Path CGROUP = Path.of("/sys/fs/cgroup");

  /** The part of the memory that must stay available: a tenth. */
  private static final long RESERVED_PART = 10;

  private MeasuredMachine() {}

  /** {@return the processor and the number of processors: {@code AMD EPYC, 2 processors}} */
  public static String title() {
    int count = Runtime.getRuntime().availableProcessors();
    return Text.of(
        "%s, %d processor%s",
        line(Path.of("/proc/cpuinfo"), "model name")
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .orElse(System.getProperty("os.arch")),
        count,
        count == 1 ? "" : "s");
  }

  /** {@return true if less than a tenth of the memory is available} */
  static boolean isShort() {
    return isShort(MEMORY, CGROUP);
  }

  /**
   * {@return true if less than a tenth of the memory is available}
   *
   * @param memory the kernel's figures of the machine
   * @param group the files of the control group, in which page cache counts as available
   */
  static boolean isShort(Path memory, Path group) {
    long most = number(group.resolve("memory.max"), "");
    long used =
        number(group.resolve("memory.current"), "")
            - number(group.resolve("memory.stat"), "inactive_file ");
    return number(memory, "MemAvailable:") < number(memory, "MemTotal:") / RESERVED_PART
        || (most > 0 && most - used < most / RESERVED_PART);
  }

  /** {@return the number of the line with a prefix; 0 if there is none} */
  private static long number(Path file, String prefix) {
    return line(file, prefix)
        .map(line -> line.replaceAll("\\D", ""))
        .filter(digits -> !digits.isEmpty())
        .map(Long::parseLong)
        .orElse(0L);
  }

  private static Optional<String> line(Path file, String prefix) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> line.startsWith(prefix)).findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
