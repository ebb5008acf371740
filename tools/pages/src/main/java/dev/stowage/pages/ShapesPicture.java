package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import java.util.List;

/**
 * The content of a page of layouts.
 *
 * @param title the title, such as the file name of the input
 * @param tasks the operator of each task; empty if the input has no operators
 * @param labels the labels of the records, in their order
 * @param problem the records
 * @param result the layouts
 * @param run the run that made the layouts
 */
public record ShapesPicture(
    String title,
    List<TaskLabel> tasks,
    List<RecordLabel> labels,
    SymbolicProblem problem,
    LayoutSearchResult result,
    RunFacts run) {

  /** Creates the content of a page. */
  public ShapesPicture {
    tasks = List.copyOf(tasks);
    labels = List.copyOf(labels);
  }
}
