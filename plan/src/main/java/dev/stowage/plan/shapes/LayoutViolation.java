package dev.stowage.plan.shapes;

import java.util.List;
import java.util.Optional;

/**
 * The first rule that a layout violates, or that cannot be proved, as a {@link LayoutChecker} finds
 * it.
 *
 * @param kind the rule
 * @param records the indices of the records that violate it, ascending
 * @param shape a shape for which they violate it; empty if there is neither a proof nor a
 *     counterexample
 * @param message a sentence with the label of the rule, the records and the values
 */
public record LayoutViolation(
    Kind kind, List<Integer> records, Optional<DimensionValues> shape, String message) {

  /** The rules, with their labels in messages. */
  public enum Kind {
    /** Z1: an offset is negative. */
    NEGATIVE,
    /** Z2: an offset is not a multiple of the alignments. */
    MISALIGNED,
    /** Z3: two records need the same byte at the same task. */
    OVERLAP,
    /** Z4: a record ends beyond the arena. */
    BEYOND_ARENA
  }

  /** Creates a violation. */
  public LayoutViolation {
    records = List.copyOf(records);
  }

  /** {@return the message} */
  @Override
  public String toString() {
    return message;
  }
}
