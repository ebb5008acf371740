package dev.stowage.cli.picture;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.input.TaskLabel;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.text.Printable;
import dev.stowage.cli.text.RunFacts;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.explain.CapacityConflict;
import dev.stowage.plan.explain.LoadPeak;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The content of a picture of plans.
 *
 * @param title the title, such as the file name of the input
 * @param tasks the operator of each task; empty if the input has no operators
 * @param labels the labels of the records, in their order
 * @param problem the records
 * @param plans one or more plans of the problem, in the order of the table
 * @param bestIndex the index of the plan that the picture shows first
 * @param conflict the indices of records that cannot fit together into a smaller arena; empty if
 *     none are known
 * @param run the run that made the plans
 */
public record PlanPicture(
    String title,
    List<TaskLabel> tasks,
    List<RecordLabel> labels,
    PlanProblem problem,
    List<ShownPlan> plans,
    int bestIndex,
    List<Integer> conflict,
    RunFacts run) {

  /**
   * Creates a picture.
   *
   * @throws IllegalArgumentException if {@code plans.isEmpty()}, or if the number of labels or of
   *     offsets of a plan differs from the number of records
   * @throws IndexOutOfBoundsException if there is no plan {@code bestIndex}
   */
  public PlanPicture {
    tasks = List.copyOf(tasks);
    labels = List.copyOf(labels);
    plans = List.copyOf(plans);
    conflict = List.copyOf(conflict);
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
    Objects.checkIndex(bestIndex, plans.size());
    for (ShownPlan plan : plans) {
      if (plan.drawn().recordCount() != recordCount) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the numbers of offsets and records differ: plan=%s, offsets=%d, records=%d",
                plan.strategy(),
                plan.drawn().recordCount(),
                recordCount));
      }
    }
  }

  /** Creates a picture without a run. */
  public PlanPicture(
      String title,
      List<TaskLabel> tasks,
      List<RecordLabel> labels,
      PlanProblem problem,
      List<ShownPlan> plans,
      int bestIndex) {
    this(title, tasks, labels, problem, plans, bestIndex, List.of(), RunFacts.none());
  }

  /**
   * {@return the picture of a report}
   *
   * <p>It has the plans of the table: the offsets plans, then the objects plans, with the bounds
   * that include those of the searches. The best offsets plan is shown first.
   *
   * @param report the plans of tensors, with one or more offsets plans
   */
  public static PlanPicture of(PlanReport report) {
    PlanInput.Tensors input = (PlanInput.Tensors) report.input();
    List<Plan.Offsets> offsets = report.shownOffsetsPlans();
    List<ShownPlan> plans = new ArrayList<>();
    offsets.forEach(plan -> plans.add(ShownPlan.of(plan, report.offsetsBoundBytes())));
    report
        .objectsPlans()
        .forEach(plan -> plans.add(ShownPlan.of(plan, report.objectsBoundBytes())));
    return new PlanPicture(
        Printable.of(String.valueOf(Path.of(input.file().path()).getFileName())),
        input.file().tasks(),
        input.labels(),
        input.problem(),
        plans,
        offsets.indexOf(report.bestOffsets().orElseThrow()),
        report
            .explanation()
            .flatMap(Explanation::conflict)
            .map(CapacityConflict::records)
            .orElse(List.of()),
        RunFacts.none());
  }

  /**
   * {@return this picture with the run that made the plans}
   *
   * @param newRun the run
   */
  public PlanPicture withRun(RunFacts newRun) {
    return new PlanPicture(title, tasks, labels, problem, plans, bestIndex, conflict, newRun);
  }

  /** {@return the name of a task in a sentence: {@code CONV_2D 12}, or {@code task 12}} */
  String nameOf(long task) {
    return hasName(task)
        ? Printable.of(tasks.get((int) task).operator())
        : String.format(Locale.ROOT, "task %,d", task);
  }

  /** {@return the tasks at which the most bytes are live, in O(n log n)} */
  LoadPeak peak() {
    return LoadPeak.of(problem);
  }

  /** {@return the names of the first and the last of some tasks} */
  String nameOf(long firstTask, long lastTask) {
    if (firstTask == lastTask) {
      return nameOf(firstTask);
    }
    if (hasName(firstTask) && hasName(lastTask)) {
      return nameOf(firstTask) + " to " + nameOf(lastTask);
    }
    return String.format(Locale.ROOT, "tasks %d to %d", firstTask, lastTask);
  }

  private boolean hasName(long task) {
    return 0 <= task && task < tasks.size();
  }

  /** {@return the plan that the picture shows first} */
  ShownPlan best() {
    return plans.get(bestIndex);
  }
}
