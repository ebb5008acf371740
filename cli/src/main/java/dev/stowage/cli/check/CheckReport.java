package dev.stowage.cli.check;

import dev.stowage.cli.input.PlacedInput;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.bounds.LowerBounds;
import dev.stowage.core.plan.check.PlanViolations;
import java.util.OptionalLong;

/**
 * What is wrong with a plan, and how far it is from the lower bound.
 *
 * @param input the problem, with the alignment that was asked for
 * @param totalBytes the end of the record that ends last
 * @param bounds the bytes that no plan is below
 * @param capacityBytes the bytes that the plan must fit into, if there is such a limit
 * @param violations what is wrong
 */
public record CheckReport(
    PlanInput.Tensors input,
    long totalBytes,
    LowerBounds bounds,
    OptionalLong capacityBytes,
    PlanViolations violations) {

  /** So many violations of each kind are listed at most. */
  public static final int MOST_LISTED = 1000;

  /**
   * {@return a report on a plan}
   *
   * @param placed the plan
   * @param alignment every offset is a multiple of it; beside the records' own alignments
   * @param capacityBytes the capacity, if there is one; else that of the file counts
   * @throws IllegalArgumentException if the records take more than 2^63 - 1 bytes when aligned
   */
  public static CheckReport of(PlacedInput placed, long alignment, OptionalLong capacityBytes) {
    PlanInput.Tensors input = placed.input();
    PlanProblem problem = input.problem().withAlignment(alignment);
    OptionalLong capacity = capacityBytes.isPresent() ? capacityBytes : input.file().capacity();
    return new CheckReport(
        new PlanInput.Tensors(input.file(), input.labels(), problem),
        placed.plan().totalBytes(),
        LowerBounds.of(problem),
        capacity,
        PlanViolations.of(problem, placed.plan(), capacity, MOST_LISTED));
  }

  /**
   * {@return by how many bytes the plan exceeds the lower bound; negative only if it is invalid}
   */
  public long bytesAboveBound() {
    return totalBytes - bounds.offsetsBytes();
  }
}
