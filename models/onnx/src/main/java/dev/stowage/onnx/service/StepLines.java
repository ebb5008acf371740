package dev.stowage.onnx.service;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The lines that a measured service prints, one for each step. Tabs separate the fields: {@value
 * #STEP}, the name of the step, the resident bytes, the peak of the resident bytes, a figure of the
 * step and nanoseconds; or {@value #FAILURE} and the reason.
 */
public final class StepLines {

  /** The first field of a step. */
  public static final String STEP = "stowage-step";

  /** The first field of the last line if the process ends early. */
  public static final String FAILURE = "stowage-failure";

  private static final Path STATUS = Path.of("/proc/self/status");

  private final PrintStream out;

  StepLines(PrintStream out) {
    this.out = out;
  }

  /** {@return the most resident bytes of this process so far} */
  static long highestBytes() throws IOException {
    return bytes("VmHWM");
  }

  private static long bytes(String name) throws IOException {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(name + ":"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElseThrow(
              () -> new IOException(STATUS + " lacks " + name + "; stowage budget needs Linux"));
    }
  }

  /** Reports the memory after a step. */
  void memory(String step) throws IOException {
    memory(step, 0, 0);
  }

  /**
   * Reports the memory after runs.
   *
   * @param bytes a figure of the step: the bytes of one run in the allocator, or the growth
   * @param nanos the time of a run
   */
  void memory(String step, long bytes, long nanos) throws IOException {
    out.printf(
        Locale.ROOT,
        "%s\t%s\t%d\t%d\t%d\t%d%n",
        STEP,
        step,
        bytes("VmRSS"),
        highestBytes(),
        bytes,
        nanos);
  }

  /** Reports the reason why the process ends early. */
  void failure(String reason) {
    out.println(FAILURE + "\t" + reason.strip().replaceAll("\\s+", " "));
  }
}
