package dev.stowage.plan.violations;

import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.text.Message;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** The overlaps of a plan that {@link PlanProblem#inPlace} permits. */
public final class PermittedOverlaps {

  private static final int NONE = -1;

  private final PlanProblem problem;

  /** The source that each record takes over bytes from in the plan; empty if no record does. */
  private final int[] takenOver;

  private PermittedOverlaps(PlanProblem problem, int[] takenOver) {
    this.problem = problem;
    this.takenOver = takenOver;
  }

  /**
   * {@return the permitted overlaps of a plan}
   *
   * @param problem the records
   * @param offset the offset of each record
   */
  public static PermittedOverlaps of(PlanProblem problem, IntToLongFunction offset) {
    int[] takenOver = new int[problem.inPlace().isEmpty() ? 0 : problem.records().size()];
    Arrays.fill(takenOver, NONE);
    for (InPlace pair : problem.inPlace()) {
      if (offset.applyAsLong(pair.record()) == offset.applyAsLong(pair.source())
          && obstacle(problem, pair).isEmpty()) {
        takenOver[pair.record()] = pair.source();
      }
    }
    return new PermittedOverlaps(problem, takenOver);
  }

  /**
   * {@return true if one record takes over the bytes of the other, at the one task at which both
   * are live}
   */
  public boolean contains(int one, int other) {
    return takenOver.length > 0 && (takenOver[one] == other || takenOver[other] == one);
  }

  /**
   * {@return the reason why a pair in place does not permit an overlap, as the end of a sentence;
   * empty if the two records are no pair}
   */
  public String reason(int one, int other) {
    for (InPlace pair : problem.inPlace()) {
      if (pair.equals(new InPlace(one, other)) || pair.equals(new InPlace(other, one))) {
        String obstacle = obstacle(problem, pair);
        return Message.of(
            "; record %d may be in place of record %d, but %s",
            pair.record(), pair.source(), obstacle.isEmpty() ? "only at its offset" : obstacle);
      }
    }
    return "";
  }

  /** {@return the reason why a pair has no effect for any offsets; empty if it has one} */
  private static String obstacle(PlanProblem problem, InPlace pair) {
    TensorUsageRecord record = problem.records().get(pair.record());
    TensorUsageRecord source = problem.records().get(pair.source());
    if (problem.reuseGraph().isPresent()) {
      return "a problem with a graph ignores this";
    }
    if (record.bytes() > source.bytes()) {
      return Message.of("it has more bytes: %d and %d", record.bytes(), source.bytes());
    }
    long task = record.firstTask();
    return hasGapAt(record, task) || hasGapAt(source, task)
        ? "one of them has a gap at this task"
        : "";
  }

  private static boolean hasGapAt(TensorUsageRecord record, long task) {
    for (Gap gap : record.gaps()) {
      if (gap.firstTask() <= task && task <= gap.lastTask()) {
        return true;
      }
    }
    return false;
  }
}
