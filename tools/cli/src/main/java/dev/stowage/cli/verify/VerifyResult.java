package dev.stowage.cli.verify;

import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.Optional;

/**
 * The result of a run of a model in planned memory.
 *
 * @param input the file as on the command line
 * @param operatorCount the number of operators
 * @param arena the planned arena
 * @param shape the shape of the run, if dimensions have ranges
 * @param order the order of the operators in the file and the best one, if requested
 * @param run the outputs, and the engine's own memory
 */
public record VerifyResult(
    String input,
    int operatorCount,
    Arena arena,
    Optional<DimensionValues> shape,
    Optional<OrderComparison> order,
    VerifiedRun run) {

  /**
   * A planned arena.
   *
   * @param recordCount the number of planned records
   * @param naiveBytes the bytes of all records without sharing
   * @param lowerBoundBytes the lower bound of all plans
   * @param strategy the strategy that planned it
   */
  public record Arena(int recordCount, long naiveBytes, long lowerBoundBytes, String strategy) {}

  /** {@return true if no tensor was planned, so that the outputs prove nothing about a plan} */
  public boolean isPlanEmpty() {
    return arena.recordCount() == 0;
  }
}
