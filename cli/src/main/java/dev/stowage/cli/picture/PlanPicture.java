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
 * The content of a picture of plans.
 *
 * @param title the title, such as the file name of the input
 * @param tasks the name of the operator of each task; empty if the input has no operators
 * @param labels the labels of the records, in their order
 * @param problem the records
 * @param bounds the lower bounds of all plans
 * @param plans one or more plans of the problem, in the order of the table
 */
public record PlanPicture(
    String title,
    List<String> tasks,
    List<RecordLabel> labels,
    PlanProblem problem,
    LowerBounds bounds,
    List<Plan.Offsets> plans) {

  /**
   * Creates a picture.
   *
   * @throws IllegalArgumentException if {@code plans.isEmpty()}, or if the number of labels or of
   *     offsets of a plan differs from the number of records
   */
  public PlanPicture {
    tasks = List.copyOf(tasks);
    labels = List.copyOf(labels);
    plans = List.copyOf(plans);
    int recordCount = problem.records().size();
    if (labels.size() != recordCount) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the numbers of labels and records differ: labels=%d, records=%d",
              labels.size(),
              recordCount));
    }
    if (plans.isEmpty()) {
      throw new IllegalArgumentException("plans must not be empty");
    }
    for (Plan.Offsets plan : plans) {
      if (plan.assignment().recordCount() != recordCount) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the numbers of offsets and records differ: plan=%s, offsets=%d, records=%d",
                plan.strategy(),
                plan.assignment().recordCount(),
                recordCount));
      }
    }
  }

  /**
   * Creates a picture of an input without operators.
   *
   * @param title the title
   * @param labels the labels of the records
   * @param problem the records
   * @param bounds the lower bounds of all plans
   * @param plans one or more plans
   * @throws IllegalArgumentException as the other constructor
   */
  public PlanPicture(
      String title,
      List<RecordLabel> labels,
      PlanProblem problem,
      LowerBounds bounds,
      List<Plan.Offsets> plans) {
    this(title, List.of(), labels, problem, bounds, plans);
  }

  /** {@return the name of a task in a sentence: {@code CONV_2D 12}, or {@code task 12}} */
  String nameOf(long task) {
    return hasName(task) ? tasks.get((int) task) : String.format(Locale.ROOT, "task %,d", task);
  }

  /** {@return the names of the first and the last of some tasks} */
  String nameOf(long firstTask, long lastTask) {
    if (hasName(firstTask) && hasName(lastTask)) {
      return firstTask == lastTask
          ? nameOf(firstTask)
          : nameOf(firstTask) + " to " + nameOf(lastTask);
    }
    return String.format(Locale.ROOT, "tasks %d to %d", firstTask, lastTask);
  }

  private boolean hasName(long task) {
    return 0 <= task && task < tasks.size();
  }

  /** {@return the smallest plan; of equal ones one planned as offsets, then the first} */
  Plan.Offsets best() {
    return plans.get(bestIndex());
  }

  /** {@return the index of {@link #best}} */
  int bestIndex() {
    return IntStream.range(0, plans.size())
        .boxed()
        .min(
            Comparator.<Integer>comparingLong(i -> plans.get(i).assignment().totalBytes())
                .thenComparing(i -> plans.get(i).strategy().offsetsFollowFromObjects()))
        .orElseThrow();
  }
}
