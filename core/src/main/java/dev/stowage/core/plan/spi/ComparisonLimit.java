package dev.stowage.core.plan.spi;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.time.LivePairs;
import java.util.Locale;

/**
 * The size of a problem up to which a strategy belongs into a comparison of all strategies.
 *
 * <p>A problem is within the limit if it is small in either way.
 *
 * @param records up to so many records
 * @param conflicts or up to so many pairs of records that are live at one task
 */
public record ComparisonLimit(int records, long conflicts) {

  /** No limit. */
  public static final ComparisonLimit NONE = ofRecords(Integer.MAX_VALUE);

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

  /** {@return the limit in words, such as "20,000 records"} */
  @Override
  public String toString() {
    if (conflicts == 0) {
      return String.format(Locale.ROOT, "%,d records", records);
    }
    return String.format(
        Locale.ROOT, "%,d records with %,d pairs live at one task", records, conflicts);
  }
}
