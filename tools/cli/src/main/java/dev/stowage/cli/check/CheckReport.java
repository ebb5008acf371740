package dev.stowage.cli.check;

import dev.stowage.cli.input.PlacedInput;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.violations.PlanViolations;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The violations of a plan, and its distance from the lower bound.
 *
 * @param input the problem, with the alignment of the user
 * @param totalBytes the end of the record that ends last
 * @param bounds the lower bounds of all plans
 * @param capacityBytes the bytes that the plan must fit into, if they are limited
 * @param arena the arena of TensorFlow Lite Micro, if it is checked
 */
public record CheckReport(
    PlanInput.Tensors input,
    long totalBytes,
    LowerBounds bounds,
    OptionalLong capacityBytes,
    PlanViolations violations,
    Optional<ArenaCheck> arena) {

  /** The largest number of listed violations of each kind. */
  public static final int MAX_LISTED = 1000;

  /**
   * {@return a report on a plan}
   *
   * @param alignment the alignment of all offsets, in addition to the alignments of the records
   * @param capacityBytes the capacity; if empty, that of the file
   * @param arena the arena of TensorFlow Lite Micro, which has the capacity then
   * @throws IllegalArgumentException if the aligned records have more than 2^63 - 1 bytes
   */
  public static CheckReport of(
      PlacedInput placed, long alignment, OptionalLong capacityBytes, Optional<ArenaCheck> arena) {
    PlanInput.Tensors input = placed.input();
    PlanProblem problem = input.problem().withAlignment(alignment);
    OptionalLong capacity =
        arena.isPresent()
            ? OptionalLong.empty()
            : capacityBytes.isPresent() ? capacityBytes : input.file().capacity();
    return new CheckReport(
        new PlanInput.Tensors(input.file(), input.labels(), problem),
        placed.plan().totalBytes(),
        LowerBounds.of(problem),
        capacity,
        PlanViolations.of(problem, placed.plan(), capacity, MAX_LISTED),
        arena);
  }

  /** {@return true if the plan is valid and fits} */
  public boolean isPassed() {
    return violations.isEmpty()
        && arena.map(ArenaCheck::failures).filter(found -> !found.isEmpty()).isEmpty();
  }

  /**
   * {@return by how many bytes the plan exceeds the lower bound; negative only if it is invalid}
   */
  public long bytesAboveBound() {
    return totalBytes - bounds.offsetsBytes();
  }
}
