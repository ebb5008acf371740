package dev.stowage.cli.budget;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The resident memory of a process.
 *
 * @param residentBytes the resident bytes: VmRSS
 * @param highestBytes the most resident bytes so far: VmHWM
 * @param anonymousBytes the resident bytes without a file: RssAnon
 * @param fileBytes the resident bytes of mapped files: RssFile
 */
public record ResidentMemory(
    long residentBytes, long highestBytes, long anonymousBytes, long fileBytes) {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final int KIBIBYTE = 1024;

  /**
   * {@return the memory of this process}
   *
   * @throws IOException if the operating system does not report it
   */
  static ResidentMemory now() throws IOException {
    List<String> lines = Files.readAllLines(STATUS);
    return new ResidentMemory(
        bytes(lines, "VmRSS"),
        bytes(lines, "VmHWM"),
        bytes(lines, "RssAnon"),
        bytes(lines, "RssFile"));
  }

  private static long bytes(List<String> lines, String name) throws IOException {
    for (String line : lines) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE;
      }
    }
    throw new IOException(STATUS + " has no " + name);
  }

  /** {@return the memory as a line that {@link #parse} reads} */
  String toLine() {
    return String.format(
        Locale.ROOT, "%d %d %d %d", residentBytes, highestBytes, anonymousBytes, fileBytes);
  }

  static ResidentMemory parse(String line) {
    String[] fields = line.split(" ", -1);
    return new ResidentMemory(
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]));
  }
}
