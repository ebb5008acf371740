package dev.stowage.memory.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The addresses that a process may have, where the system limits them ({@code ulimit -v} on Linux).
 *
 * @param statistics a file whose first number is how many pages of addresses the process has
 * @param pageBytes a page's size
 * @param limitBytes the limit; empty for none
 */
record AddressSpace(Path statistics, long pageBytes, OptionalLong limitBytes) {

  private static final String LIMIT = "Max address space";

  static AddressSpace ofProcess() {
    Path process = Path.of("/proc/self");
    return new AddressSpace(
        process.resolve("statm"), Libc.pageBytes(), limit(process.resolve("limits")));
  }

  /** {@return the limit in a list of limits; empty if there is none, or no such list} */
  static OptionalLong limit(Path limits) {
    return lines(limits).stream()
        .filter(line -> line.startsWith(LIMIT))
        .map(line -> line.substring(LIMIT.length()).strip().split(" +", 2)[0])
        .filter(number -> number.matches("[0-9]{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }

  /** {@return the bytes of addresses that are left; {@link Long#MAX_VALUE} without a limit} */
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
    } catch (IOException elsewhere) {
      return List.of();
    }
  }
}
