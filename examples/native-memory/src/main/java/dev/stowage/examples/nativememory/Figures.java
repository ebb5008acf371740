package dev.stowage.examples.nativememory;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * The memory of a process and its requests.
 *
 * @param loadedBytes the resident bytes when the service is loaded
 * @param highestBytes the most resident bytes
 * @param keptBytes the resident bytes after the last request
 * @param served the number of requests that were answered
 * @param seconds the time of processors from the first request to the last one
 */
record Figures(long loadedBytes, long highestBytes, long keptBytes, long served, long seconds) {

  /** A service that is loaded. */
  record Loaded(long bytes, Duration processors) {

    static Loaded now() throws IOException {
      return new Loaded(ResidentMemory.now(), total());
    }

    private static Duration total() {
      return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    Figures after(int served) throws IOException {
      return new Figures(
          bytes,
          ResidentMemory.highest(),
          ResidentMemory.now(),
          served,
          total().minus(processors).toSeconds());
    }
  }

  String toLine() {
    return String.format(
        Locale.ROOT, "%d %d %d %d %d", loadedBytes, highestBytes, keptBytes, served, seconds);
  }

  static Figures ofLine(String line) {
    String[] parts = line.split(" ", -1);
    return new Figures(
        Long.parseLong(parts[0]),
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]),
        Long.parseLong(parts[4]));
  }
}
