package dev.stowage.cli.picture;

import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.plan.Plan;
import dev.stowage.core.plan.LowerBounds;
import dev.stowage.core.plan.PlanProblem;
import java.util.List;

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
          "the picture has %d labels, the problem %d records"
              .formatted(labels.size(), recordCount));
    }
    if (plans.isEmpty()) {
      throw new IllegalArgumentException("the picture has no plan to show");
    }
    for (Plan.Offsets plan : plans) {
      if (plan.assignment().recordCount() != recordCount) {
        throw new IllegalArgumentException(
            "the plan %s is of %d records, the problem of %d"
                .formatted(plan.strategy(), plan.assignment().recordCount(), recordCount));
      }
    }
  }

  /** {@return the plan of the fewest bytes, the first of equals} */
  Plan.Offsets best() {
    return plans.get(bestIndex());
  }

  /** {@return where {@link #best} is among the plans} */
  int bestIndex() {
    int best = 0;
    for (int i = 1; i < plans.size(); i++) {
      if (totalBytes(i) < totalBytes(best)) {
        best = i;
      }
    }
    return best;
  }

  private long totalBytes(int plan) {
    return plans.get(plan).assignment().totalBytes();
  }
}
