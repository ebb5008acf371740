package dev.stowage.plan.planner;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.text.Message;
import dev.stowage.plan.time.LivePairs;

/**
 * The largest size of problems for a strategy in a comparison of all strategies.
 *
 * <p>A problem is within the limit if one of the two conditions holds.
 *
 * @param records the maximum number of records
 * @param conflicts the maximum number of pairs of records that are live at one task; 0 if only the
 *     number of records counts
 */
public record ComparisonLimit(int records, long conflicts) {

  /**
   * A limit.
   *
   * @throws IllegalArgumentException if {@code records < 0} or {@code conflicts < 0}
   */
  public ComparisonLimit {
    if (records < 0 || conflicts < 0) {
      throw Message.illegalArgument(
          "records and conflicts must not be negative: records=%d, conflicts=%d",
          records, conflicts);
    }
  }

  /** No limit. */
  public static final ComparisonLimit NONE = ofRecords(Integer.MAX_VALUE);

  /**
   * {@return a limit on the number of records only}
   *
   * @param records the maximum number of records
   */
  public static ComparisonLimit ofRecords(int records) {
    return new ComparisonLimit(records, 0);
  }

  /**
   * {@return true if a problem is within the limit}
   *
   * <p>Costs O(n log n).
   *
   * @param problem the records
   */
  public boolean admits(PlanProblem problem) {
    return problem.records().size() <= records
        || (conflicts > 0 && LivePairs.count(problem.records()) <= conflicts);
  }

  /** {@return the limit in words, such as "20,000 records" or "no limit"} */
  @Override
  public String toString() {
    if (equals(NONE)) {
      return "no limit";
    }
    if (conflicts == 0) {
      return Message.of("%,d records", records);
    }
    return Message.of("%,d records with %,d pairs live at one task", records, conflicts);
  }
}
