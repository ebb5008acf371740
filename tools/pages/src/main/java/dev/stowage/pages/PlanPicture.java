package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.explain.LoadPeak;
import java.util.List;

/**
 * The content of a picture of plans.
 *
 * @param title the title, such as the file name of the input
 * @param tasks the operator of each task; empty if the input has no operators
 * @param labels the labels of the records, in their order
 * @param problem the records
 * @param plans one or more plans of the problem, in the order of the table
 * @param bestIndex the index of the plan that the picture shows first
 * @param run the run that made the plans
 */
public record PlanPicture(
    String title,
    List<TaskLabel> tasks,
    List<RecordLabel> labels,
    PlanProblem problem,
    List<ShownPlan> plans,
    int bestIndex,
    RunFacts run) {

  public PlanPicture {
    tasks = List.copyOf(tasks);
    labels = List.copyOf(labels);
    plans = List.copyOf(plans);
  }

  /** Creates a picture without a run. */
  public PlanPicture(
      String title,
      List<TaskLabel> tasks,
      List<RecordLabel> labels,
      PlanProblem problem,
      List<ShownPlan> plans,
      int bestIndex) {
    this(title, tasks, labels, problem, plans, bestIndex, RunFacts.none());
  }

  /** {@return this picture with the run that made the plans} */
  public PlanPicture withRun(RunFacts newRun) {
    return new PlanPicture(title, tasks, labels, problem, plans, bestIndex, newRun);
  }

  /** {@return the name of a task in a sentence: {@code CONV_2D 12}, or {@code task 12}} */
  String nameOf(long task) {
    return TaskLabel.isNamed(task, tasks) ? TaskLabel.cell(task, tasks) : Text.of("task %,d", task);
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
    if (TaskLabel.isNamed(firstTask, tasks) && TaskLabel.isNamed(lastTask, tasks)) {
      return nameOf(firstTask) + " to " + nameOf(lastTask);
    }
    return Text.of("tasks %d to %d", firstTask, lastTask);
  }

  /** {@return the plan that the picture shows first} */
  public ShownPlan best() {
    return plans.get(bestIndex);
  }
}
