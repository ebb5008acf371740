package dev.stowage.plan.strategy;

import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.search.BankShortageException;
import dev.stowage.plan.banks.search.BankedPlanner;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.search.LayoutBucket;
import dev.stowage.plan.shapes.search.LayoutOptions;
import dev.stowage.plan.shapes.search.LayoutSearch;
import java.util.List;
import java.util.Optional;

/**
 * Searches for the best plan of several banks, and of all shapes of a range.
 *
 * <p>Of the options, a search uses the time limit and the node limit. Unless the time limit ends a
 * search, the plan is the same on every machine.
 */
public final class OptimalPlanner {

  private OptimalPlanner() {}

  /**
   * {@return a plan for several banks; empty if a record fits into no bank}
   *
   * <p>The cheapest of three divisions among the banks, each bank with the smallest arena that a
   * search finds. Another division may cost less.
   *
   * @param problem the records and the banks
   * @param options the limits of the search in each bank
   */
  public static Optional<BankedAssignment> planBanks(BankedProblem problem, SearchOptions options) {
    try {
      return Optional.of(BankedPlanner.of(problem, options).run().assignment());
    } catch (BankShortageException e) {
      return Optional.empty();
    }
  }

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
