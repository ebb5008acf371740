package dev.stowage.cli.picture;

import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.plan.Plan;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.bounds.LowerBounds;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What a picture of plans shows.
 *
 * @param title a headline, such as the input's file name
 * @param labels the records' ids and names, in the order of the records
 * @param problem the records
 * @param bounds what no plan can do without
 * @param plans one or more plans of the problem, in the order of the table
 */
public record PlanPicture(
    String title,
    List<RecordLabel> labels,
    PlanProblem problem,
    LowerBounds bounds,
    List<Plan.Offsets> plans) {

  /**
   * A picture whose parts belong together.
   *
   * @throws IllegalArgumentException if {@code plans.isEmpty()}, or labels or a plan are not of as
   *     many records as the problem
   */
  public PlanPicture {
    labels = List.copyOf(labels);
    plans = List.copyOf(plans);
    int recordCount = problem.records().size();
    if (labels.size() != recordCount) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the picture has %d labels, the problem %d records",
              labels.size(),
              recordCount));
    }
    if (plans.isEmpty()) {
      throw new IllegalArgumentException("the picture has no plan to show");
    }
    for (Plan.Offsets plan : plans) {
      if (plan.assignment().recordCount() != recordCount) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the plan %s is of %d records, the problem of %d",
                plan.strategy(),
                plan.assignment().recordCount(),
                recordCount));
      }
    }
  }

  /** {@return the plan of the fewest bytes; a tie: one made as offsets, then the first} */
  Plan.Offsets best() {
    return plans.get(bestIndex());
  }

  /** {@return where {@link #best} is among the plans} */
  int bestIndex() {
    return IntStream.range(0, plans.size())
        .boxed()
        .min(
            Comparator.<Integer>comparingLong(i -> plans.get(i).assignment().totalBytes())
                .thenComparing(i -> plans.get(i).strategy().offsetsFollowFromObjects()))
        .orElseThrow();
  }
}
