package dev.stowage.onnx.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The resident memory of this process.
 *
 * @param residentBytes the resident bytes: VmRSS
 * @param highestBytes the most resident bytes so far: VmHWM
 */
record ResidentMemory(long residentBytes, long highestBytes) {

  private static final Path STATUS = Path.of("/proc/self/status");

  /**
   * {@return the memory now}
   *
   * @throws IOException if the operating system does not report it
   */
  static ResidentMemory now() throws IOException {
    List<String> lines = Files.readAllLines(STATUS);
    return new ResidentMemory(bytes(lines, "VmRSS:"), bytes(lines, "VmHWM:"));
  }

  private static long bytes(List<String> lines, String name) throws IOException {
    for (String line : lines) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException(STATUS + " has no " + name);
  }
}
