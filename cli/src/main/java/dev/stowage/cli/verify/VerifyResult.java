package dev.stowage.cli.verify;

import dev.stowage.cli.plan.Plan;
import dev.stowage.onnx.VerificationReport;

/**
 * The result of a run of a model in planned memory.
 *
 * @param input the file as on the command line
 * @param operatorCount the number of operators
 * @param recordCount the number of planned records
 * @param naiveBytes the bytes of all records without sharing
 * @param lowerBoundBytes the lower bound of all plans
 * @param plan the plan
 * @param report the outputs, and the peak of ONNX Runtime's own memory
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
