package dev.stowage.onnx.service;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/**
 * The lines with which a process that measures a service reports its steps: the fields {@value
 * #STEP}, the name, the resident bytes, the most resident bytes so far, a figure of the step and
 * nanoseconds, or {@value #FAILURE} and the reason. Tabs separate the fields.
 */
public final class StepLines {

  /** The first field of a step. */
  public static final String STEP = "stowage-step";

  /** The first field of the last line if the process ends early. */
  public static final String FAILURE = "stowage-failure";

  private final PrintStream out;

  StepLines(PrintStream out) {
    this.out = out;
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
    ResidentMemory memory = ResidentMemory.now();
    out.printf(
        Locale.ROOT,
        "%s\t%s\t%d\t%d\t%d\t%d%n",
        STEP,
        step,
        memory.residentBytes(),
        memory.highestBytes(),
        bytes,
        nanos);
  }

  /** Reports the reason why the process ends early. */
  void failure(String reason) {
    out.println(FAILURE + "\t" + reason.strip().replaceAll("\\s+", " "));
  }
}
