package dev.stowage.cli.plan;

import dev.stowage.cli.input.ShapesInput;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.search.LayoutOptions;
import dev.stowage.plan.shapes.search.LayoutSearch;
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import java.util.function.Consumer;

/** Searches layouts of inputs whose sizes depend on dimensions, and certifies them. */
public final class ShapesRunner {

  private final long alignment;
  private final LayoutOptions options;
  private final Interruption interruption;
  private final Consumer<LayoutSearchResult> certification;

  /**
   * Creates a runner.
   *
   * @param interruption ends the search with the best layouts so far
   */
  public ShapesRunner(long alignment, LayoutOptions options, Interruption interruption) {
    this(alignment, options, interruption, LayoutCertification::check);
  }

  /**
   * Creates a runner.
   *
   * @param certification throws an exception if a layout is not certified
   */
  ShapesRunner(
      long alignment,
      LayoutOptions options,
      Interruption interruption,
      Consumer<LayoutSearchResult> certification) {
    this.alignment = alignment;
    this.options = options;
    this.interruption = interruption;
    this.certification = certification;
  }

  /**
   * {@return the layouts of an input}
   *
   * @throws InputRefusedException if the alignment makes the arena too large, or there are too many
   *     records
   * @throws WorkInterruptedException if a signal arrived and the search did not end in time
   */
  public ShapesReport run(ShapesInput input, PlanProgress progress) throws InputRefusedException {
    SymbolicProblem problem = aligned(input.problem());
    LayoutSearch search = interruption.run(() -> search(problem));
    progress.phase("layouts");
    Timed<LayoutSearchResult> timed = interruption.run(() -> Timed.of(search::run), search::cancel);
    LayoutSearchResult result = timed.value();
    progress.phase("proofs for all shapes");
    return new ShapesReport(
        input, problem, result, timed.seconds(), !result.isComplete(), isCertified(result));
  }

  /** {@return true if all layouts are certified; false if a signal ended the proofs} */
  private boolean isCertified(LayoutSearchResult result) {
    try {
      // After a signal, the proofs have as much time as the end of a search.
      return interruption.run(
          () -> {
            certification.accept(result);
            return true;
          },
          () -> {});
    } catch (WorkInterruptedException e) {
      return false;
    }
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
}
