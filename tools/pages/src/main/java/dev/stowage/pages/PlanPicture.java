package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.explain.LoadPeak;
import java.util.List;
import java.util.OptionalLong;

/**
 * The content of a picture of plans.
 *
 * @param title the title, such as the file name of the input
 * @param tasks the operator of each task; empty if the input has no operators
 * @param labels the labels of the records, in their order
 * @param problem the records
 * @param plans one or more plans of the problem, in the order of the table
 * @param bestIndex the index of the plan that the picture shows first
 * @param capacityBytes the bytes that a plan must fit into; empty if there is no limit
 */
public record PlanPicture(
    String title,
    List<TaskLabel> tasks,
    List<RecordLabel> labels,
    PlanProblem problem,
    List<ShownPlan> plans,
    int bestIndex,
    OptionalLong capacityBytes) {

  public PlanPicture {
    tasks = List.copyOf(tasks);
    labels = List.copyOf(labels);
    plans = List.copyOf(plans);
  }

  /** Creates a picture of plans without a limit. */
  public PlanPicture(
      String title,
      List<TaskLabel> tasks,
      List<RecordLabel> labels,
      PlanProblem problem,
      List<ShownPlan> plans,
      int bestIndex) {
    this(title, tasks, labels, problem, plans, bestIndex, OptionalLong.empty());
  }

  /** {@return the tasks at which the most bytes are live, in O(n log n)} */
  LoadPeak peak() {
    return LoadPeak.of(problem);
  }

  /** {@return the plan that the picture shows first} */
  public ShownPlan best() {
    return plans.get(bestIndex);
  }
}
