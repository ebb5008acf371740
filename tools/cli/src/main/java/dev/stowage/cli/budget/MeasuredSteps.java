package dev.stowage.cli.budget;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of a process that ran a service, after each step.
 *
 * @param steps the steps in their order
 * @param isShort true if the process was ended, because the machine had too little memory
 */
public record MeasuredSteps(List<Step> steps, boolean isShort) {

  private static final Pattern VALUE =
      Pattern.compile("\"(\\w+)\":(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\d+))");

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
   * @param reason the reason of a failure; otherwise empty
   */
  public record Step(
      String name, long residentBytes, long highestBytes, long bytes, long nanos, String reason) {

    /** {@return the step of a line of JSON; empty if it is another line} */
    static Optional<Step> parse(String line) {
      if (!line.startsWith("{\"step\":")) {
        return Optional.empty();
      }
      String name = "";
      String reason = "";
      long[] figures = new long[4];
      Matcher values = VALUE.matcher(line);
      while (values.find()) {
        switch (values.group(1)) {
          case "step" -> name = values.group(2);
          case "reason" -> reason = values.group(2).replaceAll("\\\\(.)", "$1");
          case "resident" -> figures[0] = Long.parseLong(values.group(3));
          case "highest" -> figures[1] = Long.parseLong(values.group(3));
          case "bytes" -> figures[2] = Long.parseLong(values.group(3));
          case "nanos" -> figures[3] = Long.parseLong(values.group(3));
          default -> {
            // A later version has more.
          }
        }
      }
      return Optional.of(new Step(name, figures[0], figures[1], figures[2], figures[3], reason));
    }
  }

  public MeasuredSteps {
    steps = List.copyOf(steps);
  }

  /** {@return the steps of lines of JSON, without other lines} */
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
    List<Step> all = new ArrayList<>(all(name));
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
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
    return all("session").getFirst().residentBytes() - resident("engine");
  }

  /** {@return the bytes of each further session; empty if there is none} */
  public OptionalLong furtherSessionBytes() {
    List<Step> sessions = all("session");
    return sessions.size() < 2
        ? OptionalLong.empty()
        : OptionalLong.of(
            Math.ceilDiv(
                sessions.getLast().residentBytes() - sessions.getFirst().residentBytes(),
                sessions.size() - 1L));
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
    return last("kept")
        .map(step -> OptionalLong.of(step.residentBytes()))
        .orElse(OptionalLong.empty());
  }

  /** {@return the bytes by which the memory still grows; 0 if it does not} */
  public long growthBytes() {
    return last("growing").map(Step::bytes).orElse(0L);
  }

  /** {@return the time of a run at the largest shape} */
  public long nanos() {
    return last("again").or(() -> last("shape")).map(Step::nanos).orElse(0L);
  }
}
