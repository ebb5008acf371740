package dev.stowage.cli.plan;

import dev.stowage.cli.input.ShapesInput;
import dev.stowage.core.plan.shapes.LayoutChecker;
import dev.stowage.core.plan.shapes.LayoutViolation;
import dev.stowage.core.plan.shapes.SymbolicProblem;
import dev.stowage.core.plan.shapes.search.LayoutBucket;
import dev.stowage.core.plan.shapes.search.LayoutOptions;
import dev.stowage.core.plan.shapes.search.LayoutSearch;
import dev.stowage.core.plan.shapes.search.LayoutSearchResult;
import java.util.Locale;
import java.util.Optional;

/** Searches layouts of inputs whose sizes depend on dimensions, and certifies them. */
public final class ShapesRunner {

  private final long alignment;
  private final LayoutOptions options;
  private final Interruption interruption;

  /**
   * Creates a runner.
   *
   * @param alignment the alignment of every offset
   * @param options the limits and the number of buckets
   * @param interruption ends the search with the best layouts so far
   */
  public ShapesRunner(long alignment, LayoutOptions options, Interruption interruption) {
    this.alignment = alignment;
    this.options = options;
    this.interruption = interruption;
  }

  /**
   * {@return the layouts of an input}
   *
   * @param input the records
   * @throws InputRefusedException if the alignment makes the arena too large, or there are too many
   *     records
   * @throws WorkInterruptedException if a signal arrived and the search did not end in time
   */
  public ShapesReport run(ShapesInput input) throws InputRefusedException {
    SymbolicProblem problem = aligned(input.problem());
    LayoutSearch search = interruption.run(() -> search(problem));
    Timed<LayoutSearchResult> timed = interruption.run(() -> Timed.of(search::run), search::cancel);
    LayoutSearchResult result = timed.value();
    boolean isInterrupted = interruption.isInterrupted();
    checkCertified("one layout", LayoutChecker.violation(result.layout()));
    checkCertified(
        "the plan for the maximum",
        LayoutChecker.violation(result.maximumPlan(), result.maximumBytes()));
    for (LayoutBucket bucket : result.buckets()) {
      checkCertified(
          "bucket " + bucket.ranges(),
          LayoutChecker.violation(bucket.layout(), bucket.arenaBytes()));
    }
    return new ShapesReport(input, problem, result, timed.seconds(), isInterrupted);
  }

  private LayoutSearch search(SymbolicProblem problem) throws InputRefusedException {
    try {
      return LayoutSearch.of(problem, options);
    } catch (IllegalArgumentException e) {
      // There are too many records; the message has the limit.
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }

  private SymbolicProblem aligned(SymbolicProblem problem) throws InputRefusedException {
    try {
      return problem.withAlignment(alignment);
    } catch (IllegalArgumentException e) {
      // The alignment makes the sum of all records too large; the message names one.
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }

  private static void checkCertified(String layout, Optional<LayoutViolation> violation) {
    if (violation.isPresent()) {
      throw new AssertionError(
          String.format(Locale.ROOT, "%s is not valid: %s", layout, violation.get()));
    }
  }
}
