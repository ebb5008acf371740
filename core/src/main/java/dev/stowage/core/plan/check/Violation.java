package dev.stowage.core.plan.check;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * The first rule that an assignment violates, as an {@link AssignmentChecker} finds it.
 *
 * @param kind the rule
 * @param records the indices of the records that violate it, ascending; empty if the number of
 *     records is wrong
 * @param task a task at which they violate it; empty if the rule does not depend on tasks
 * @param message a sentence with the label of the rule, the records and the values
 */
public record Violation(Kind kind, List<Integer> records, OptionalLong task, String message) {

  /** A rule. */
  public enum Kind {
    /** V1, V5: the assignment has another number of records than the problem. */
    RECORD_COUNT,
    /** V1: an offset is negative, or not a multiple of the alignments. */
    MISALIGNED,
    /** V2: a pinned record has another offset. */
    NOT_AT_PIN,
    /** V3: a record ends behind the arena. */
    BEYOND_ARENA,
    /** V4: two records need one byte at one task. */
    OVERLAP,
    /** V5: an object is smaller than its record. */
    OBJECT_TOO_SMALL,
    /** V6: two records of one object are live at one task. */
    OBJECT_IN_USE,
    /** V7: two records share memory although the graph does not permit it. */
    NOT_PERMITTED
  }

  /** A violation. */
  public Violation {
    records = List.copyOf(records);
  }

  static Violation of(Kind kind, String message, int... records) {
    return new Violation(kind, sorted(records), OptionalLong.empty(), message);
  }

  static Violation atTask(Kind kind, long task, String message, int... records) {
    return new Violation(kind, sorted(records), OptionalLong.of(task), message);
  }

  private static List<Integer> sorted(int[] records) {
    return Arrays.stream(records).sorted().boxed().toList();
  }

  /** {@return the message} */
  @Override
  public String toString() {
    return message;
  }
}
