package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.explain.LoadPeak;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
    OptionalLong capacityBytes)
    implements PagePart {

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

  /** {@return a map of offsets over tasks} */
  @Override
  public String markup() {
    String choice =
        IntStream.range(0, plans.size())
            .mapToObj(this::option)
            .collect(
                Collectors.joining(
                    "",
                    "<label>Strategy <select id=\"strategy\" autocomplete=\"off\">\n",
                    "</select></label>\n"));
    return PictureText.filled(
        "plan.html",
        Map.of(
            "explorer", PictureText.filled("explorer.html", Map.of("choice", choice)),
            "data", PlanData.of(this).script("PLAN")));
  }

  @Override
  public boolean isMap() {
    return true;
  }

  private String option(int index) {
    ShownPlan plan = plans.get(index);
    return Text.of(
        "<option value=\"%d\"%s>%s%s %s</option>\n",
        index,
        index == bestIndex ? " selected" : "",
        MarkupText.escaped(plan.strategy()),
        plan.objects().isPresent() ? ", objects:" : ":",
        ByteUnit.human(plan.totalBytes()));
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
