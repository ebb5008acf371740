package dev.stowage.onnx.service;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/** The lines of JSON with which a process that measures a service reports its steps. */
final class StepLines {

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
        "{\"step\":\"%s\",\"resident\":%d,\"highest\":%d,\"bytes\":%d,\"nanos\":%d}%n",
        step,
        memory.residentBytes(),
        memory.highestBytes(),
        bytes,
        nanos);
  }

  /** Reports the reason why the process ends early. */
  void failure(String reason) {
    StringBuilder text = new StringBuilder();
    for (char c : reason.strip().replaceAll("\\s+", " ").toCharArray()) {
      if (c == '"' || c == '\\') {
        text.append('\\');
      }
      text.append(c);
    }
    out.println("{\"step\":\"failure\",\"reason\":\"" + text + "\"}");
  }
}
