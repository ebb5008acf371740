package dev.stowage.memory.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The addresses of the process and their limit ({@code ulimit -v} on Linux).
 *
 * @param statistics a file like {@code /proc/self/statm}; its first number is the pages in use
 * @param pageBytes the size of a page
 * @param limitBytes the limit, if there is one
 */
record AddressSpace(Path statistics, long pageBytes, OptionalLong limitBytes) {

  private static final String LIMIT = "Max address space";

  static AddressSpace ofProcess() {
    Path process = Path.of("/proc/self");
    return new AddressSpace(
        process.resolve("statm"), Libc.pageBytes(), limit(process.resolve("limits")));
  }

  /** {@return the limit in a file of limits; empty if there is no limit or no such file} */
  static OptionalLong limit(Path limits) {
    return lines(limits).stream()
        .filter(line -> line.startsWith(LIMIT))
        .map(line -> line.substring(LIMIT.length()).strip().split(" +", 2)[0])
        .filter(number -> number.matches("[0-9]{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }

  /** {@return the remaining bytes of addresses; {@link Long#MAX_VALUE} without a limit} */
  long leftBytes() {
    if (limitBytes.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long usedPages =
        lines(statistics).stream()
            .mapToLong(line -> Long.parseLong(line.split(" ", 2)[0]))
            .findFirst()
            .orElse(0);
    return Math.max(0, limitBytes.getAsLong() - usedPages * pageBytes);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException otherSystem) {
      return List.of();
    }
  }
}
