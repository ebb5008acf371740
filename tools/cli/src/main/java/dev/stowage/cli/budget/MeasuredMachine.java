package dev.stowage.cli.budget;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The machine on which a service is measured. */
public final class MeasuredMachine {

  private static final Path CGROUP = Path.of("/sys/fs/cgroup");

  /** The part of the memory that must stay available: a tenth. */
  private static final long RESERVED_PART = 10;

  private MeasuredMachine() {}

  /** {@return the processor and the number of processors: {@code AMD EPYC, 2 processors}} */
  public static String title() {
    int count = Runtime.getRuntime().availableProcessors();
    return String.format(
        Locale.ROOT,
        "%s, %d processor%s",
        processor().orElse(System.getProperty("os.arch")),
        count,
        count == 1 ? "" : "s");
  }

  private static Optional<String> processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** {@return true if less than a tenth of the memory is available} */
  static boolean isShort() {
    OptionalLong total = kibibytes("MemTotal:");
    OptionalLong available = kibibytes("MemAvailable:");
    if (total.isPresent()
        && available.isPresent()
        && available.getAsLong() < total.getAsLong() / RESERVED_PART) {
      return true;
    }
    OptionalLong most = number("memory.max");
    OptionalLong current = number("memory.current");
    return most.isPresent()
        && current.isPresent()
        && most.getAsLong() - current.getAsLong() < most.getAsLong() / RESERVED_PART;
  }

  private static OptionalLong kibibytes(String name) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static OptionalLong number(String file) {
    try {
      String text = Files.readString(CGROUP.resolve(file)).strip();
      return text.matches("\\d{1,18}")
          ? OptionalLong.of(Long.parseLong(text))
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
