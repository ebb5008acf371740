package dev.stowage.cli.budget;

import dev.stowage.onnx.service.StepLines;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The memory of a process that ran a service, after each step.
 *
 * @param steps the steps in their order
 * @param isShort true if the process was ended, because the machine had too little memory
 */
public record MeasuredSteps(List<Step> steps, boolean isShort) {

  /** The step after the start of the process. */
  private static final String START = "start";

  /**
   * The memory after a step.
   *
   * @param name the step
   * @param residentBytes the resident bytes
   * @param highestBytes the most resident bytes so far
   * @param bytes a figure of the step
   * @param nanos the time of a run
   */
  public record Step(String name, long residentBytes, long highestBytes, long bytes, long nanos) {

    private static final int FIELDS = 6;

    /** {@return the step of a line of {@link StepLines}; empty if it is another line} */
    static Optional<Step> parse(String line) {
      String[] fields = line.split("\t", FIELDS);
      return fields[0].equals(StepLines.STEP) && fields.length == FIELDS
          ? Optional.of(
              new Step(
                  fields[1],
                  Long.parseLong(fields[2]),
                  Long.parseLong(fields[3]),
                  Long.parseLong(fields[4]),
                  Long.parseLong(fields[5])))
          : Optional.empty();
    }
  }

  public MeasuredSteps {
    steps = List.copyOf(steps);
  }

  /** {@return the steps of lines, without other lines} */
  static MeasuredSteps parse(List<String> lines, boolean isShort) {
    return new MeasuredSteps(
        lines.stream().flatMap(line -> Step.parse(line).stream()).toList(), isShort);
  }

  /** {@return the steps with a name} */
  List<Step> all(String name) {
    return steps.stream().filter(step -> step.name().equals(name)).toList();
  }

  /** {@return the last step with a name} */
  Optional<Step> last(String name) {
    return all(name).reversed().stream().findFirst();
  }

  private long resident(String name) {
    return last(name).map(Step::residentBytes).orElse(0L);
  }

  /** {@return the bytes of the Java process before it loads the engine} */
  public long startBytes() {
    return resident(START);
  }

  /** {@return the bytes of the engine} */
  public long engineBytes() {
    return resident("engine") - startBytes();
  }

  /** {@return the bytes of the first session with its weights} */
  public long firstSessionBytes() {
    return afterFirstSession() - resident("engine");
  }

  /** {@return the bytes of all sessions but the first one} */
  public long furtherSessionsBytes() {
    return loadedBytes() - afterFirstSession();
  }

  /** {@return the bytes with one session; a process may give pages back while it loads others} */
  private long afterFirstSession() {
    return Math.min(all("session").getFirst().residentBytes(), loadedBytes());
  }

  /** {@return the bytes when all sessions are created} */
  public long loadedBytes() {
    return resident("session");
  }

  /** {@return the most bytes until now} */
  public long highestBytes() {
    return steps.stream().mapToLong(Step::highestBytes).max().orElse(0);
  }

  /** {@return the bytes after the largest request; empty if the process ended earlier} */
  public OptionalLong keptBytes() {
    return all("kept").stream().mapToLong(Step::residentBytes).findFirst();
  }

  /** {@return the bytes by which the memory still grows; 0 if it does not} */
  public long growthBytes() {
    return last("growing").map(Step::bytes).orElse(0L);
  }

  /** {@return true if the most bytes are known: they do not grow, and the machine has enough} */
  public boolean isSettled() {
    return growthBytes() == 0 && !isShort;
  }

  /** {@return the time of a run at the largest shape} */
  public long nanos() {
    return last("again").or(() -> last("shape")).map(Step::nanos).orElse(0L);
  }
}
