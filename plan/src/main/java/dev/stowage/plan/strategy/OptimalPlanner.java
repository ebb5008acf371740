package dev.stowage.plan.strategy;

import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.search.LayoutBucket;
import dev.stowage.plan.shapes.search.LayoutOptions;
import dev.stowage.plan.shapes.search.LayoutSearch;
import java.util.List;

/**
 * Searches for the best plan of all shapes of a range.
 *
 * <p>Of the options, a search uses the time limit and the node limit. Unless the time limit ends a
 * search, the plan is the same on every machine.
 */
public final class OptimalPlanner {

  private OptimalPlanner() {}

  /**
   * {@return one layout for all shapes}
   *
   * <p>The search minimizes the average excess over the best plan of each shape, and then the
   * maximum excess.
   *
   * @param problem the records
   * @param options the limits
   * @throws IllegalArgumentException if the problem has more than 20,000 records
   */
  public static ShapeLayout planShapes(SymbolicProblem problem, SearchOptions options) {
    return planShapes(problem, 1, options).getFirst();
  }

  /**
   * {@return layouts for parts of the shapes; each shape is in exactly one of the parts}
   *
   * <p>The search minimizes the average excess of an arena for each part, {@link
   * ShapeLayout#totalBytes} of its largest shape if all sizes grow with the dimensions.
   *
   * @param problem the records
   * @param count the maximum number of layouts; from 1 to 64
   * @param options the limits
   * @throws IllegalArgumentException if {@code count < 1}, {@code count > 64}, or the problem has
   *     more than 20,000 records
   */
  public static List<ShapeLayout> planShapes(
      SymbolicProblem problem, int count, SearchOptions options) {
    return LayoutSearch.of(problem, new LayoutOptions(options, count)).run().buckets().stream()
        .map(LayoutBucket::layout)
        .toList();
  }
}
