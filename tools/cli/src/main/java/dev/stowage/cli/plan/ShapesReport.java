package dev.stowage.cli.plan;

import dev.stowage.cli.input.ShapesInput;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.search.LayoutSearchResult;

/**
 * The layouts of an input whose sizes depend on dimensions.
 *
 * @param problem the records, with the alignment of the user
 * @param result the layouts
 * @param seconds the time of the search
 * @param isInterrupted true if a signal ended the search
 * @param isCertified true if all layouts are proved to be valid for all shapes; false if a signal
 *     ended the proofs
 */
public record ShapesReport(
    ShapesInput input,
    SymbolicProblem problem,
    LayoutSearchResult result,
    double seconds,
    boolean isInterrupted,
    boolean isCertified) {

  /** {@return true if the shapes are divided into buckets} */
  public boolean hasBuckets() {
    return result.buckets().size() > 1;
  }
}
