package dev.stowage.examples.nativememory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resident memory of this process, in bytes, by Linux. */
final class ResidentMemory {

  private static final Path STATUS = Path.of("/proc/self/status");

  private ResidentMemory() {}

  static long now() throws IOException {
    return bytes("VmRSS:");
  }

  static long highest() throws IOException {
    return bytes("VmHWM:");
  }

  private static long bytes(String name) throws IOException {
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException(STATUS + " has no " + name);
  }
}
