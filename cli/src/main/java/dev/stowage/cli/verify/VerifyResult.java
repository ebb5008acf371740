package dev.stowage.cli.verify;

import dev.stowage.cli.plan.Plan;
import dev.stowage.onnx.VerificationReport;

/**
 * What came of running one model in planned memory.
 *
 * @param input the file as it was named on the command line
 * @param operatorCount how many operators it has
 * @param recordCount how many records were planned
 * @param naiveBytes what they take unshared
 * @param lowerBoundBytes what no plan can do without
 * @param plan where they went
 * @param report the outputs, and the engine's own memory
 */
public record VerifyResult(
    String input,
    int operatorCount,
    int recordCount,
    long naiveBytes,
    long lowerBoundBytes,
    Plan.Offsets plan,
    VerificationReport report) {

  /** {@return true if no tensor was planned, so that the outputs prove nothing about a plan} */
  public boolean isPlanEmpty() {
    return recordCount == 0;
  }
}
