package dev.stowage.cli.gate;

import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The result of a command for one input, to compare with a baseline or to put into one.
 *
 * @param entry the figures and the records
 * @param peak the records of the entry that are live when the most bytes are live
 * @param taskNames returns the name of a task in a sentence, such as {@code CONV_2D 12}
 * @param variation the reason why the figures may differ in another run; empty if they do not
 */
public record GatedResult(
    BaselineEntry entry,
    List<BaselineRecord> peak,
    LongFunction<String> taskNames,
    Optional<String> variation) {

  private static final Optional<String> TIME_LIMIT =
      Optional.of("a time limit may have ended a search");

  public GatedResult {
    peak = List.copyOf(peak);
  }

  /**
   * {@return the variation of figures that searches find}
   *
   * @param isOutOfTime true if a time limit ended a search
   */
  public static Optional<String> variation(boolean isOutOfTime) {
    return isOutOfTime ? TIME_LIMIT : Optional.empty();
  }
}
