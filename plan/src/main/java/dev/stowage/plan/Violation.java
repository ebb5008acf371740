package dev.stowage.plan;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * The first rule that a plan violates, as an {@link dev.stowage.plan.check.AssignmentChecker} finds
 * it.
 *
 * @param kind the rule
 * @param records the indices of the records that violate it, ascending; empty for {@link
 *     Kind#RECORD_COUNT}
 * @param task a task of the violation; empty if the rule does not depend on tasks
 * @param message a sentence with the label of the rule, the records and the values
 */
public record Violation(Kind kind, List<Integer> records, OptionalLong task, String message) {

  /** The rules, with their labels in messages. */
  public enum Kind {
    /** V1, V5: the assignment has a different number of records than the problem. */
    RECORD_COUNT,
    /** V1: an offset is not a multiple of the alignments, or negative in a plan. */
    MISALIGNED,
    /** V2: a pinned record has another offset. */
    NOT_AT_PIN,
    /** V3: a record ends beyond the arena. */
    BEYOND_ARENA,
    /** V4: two records need the same byte at the same task. */
    OVERLAP,
    /** V5: an object is smaller than its record. */
    OBJECT_TOO_SMALL,
    /** V6: two records of one object are live at the same task. */
    OBJECT_IN_USE,
    /** V7: two records share memory without permission of the graph. */
    NOT_PERMITTED
  }

  /** Creates a violation. */
  public Violation {
    records = List.copyOf(records);
  }

  /**
   * {@return a violation of a rule that does not depend on tasks}
   *
   * @param kind the rule
   * @param message a sentence
   * @param records the indices of the records, in any order
   */
  public static Violation of(Kind kind, String message, int... records) {
    return new Violation(kind, sorted(records), OptionalLong.empty(), message);
  }

  /**
   * {@return a violation at a task}
   *
   * @param kind the rule
   * @param task the task
   * @param message a sentence
   * @param records the indices of the records, in any order
   */
  public static Violation atTask(Kind kind, long task, String message, int... records) {
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
