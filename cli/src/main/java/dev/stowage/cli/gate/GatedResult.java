package dev.stowage.cli.gate;

import java.util.List;
import java.util.function.LongFunction;

/**
 * The result of a command for one input, to compare with a baseline or to put into one.
 *
 * @param entry the figures and the records
 * @param peaks for each moment at which the most bytes are live, the records of the entry that are
 *     live then
 * @param taskNames returns the name of a task in a sentence, such as {@code CONV_2D 12}
 * @param isRepeatable false if a time limit ended a search, so that the figures may vary
 */
public record GatedResult(
    BaselineEntry entry,
    List<List<BaselineRecord>> peaks,
    LongFunction<String> taskNames,
    boolean isRepeatable) {

  /** Creates a result. */
  public GatedResult {
    peaks = List.copyOf(peaks);
  }
}
