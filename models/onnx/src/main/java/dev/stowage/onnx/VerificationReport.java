package dev.stowage.onnx;

import java.util.List;
import java.util.OptionalLong;

/**
 * The report on a run of a model in planned memory.
 *
 * @param seed the seed of the inputs
 * @param outputs the outputs, compared with ONNX Runtime's
 * @param plannedBytes the bytes of the arena
 * @param enginePeakBytes the peak of the bytes that ONNX Runtime's own run used for results,
 *     outputs and scratch memory; empty if it is unknown
 * @param reorderedPeakBytes that peak if the operators of the model are in the order of the plan;
 *     empty if it is unknown or if this is the order of the file
 * @param notes sentences for the user
 */
public record VerificationReport(
    long seed,
    List<VerifiedOutput> outputs,
    long plannedBytes,
    OptionalLong enginePeakBytes,
    OptionalLong reorderedPeakBytes,
    List<String> notes) {

  /** Creates a report. */
  public VerificationReport {
    outputs = List.copyOf(outputs);
    notes = List.copyOf(notes);
  }

  /** {@return true if every output is identical to ONNX Runtime's, bit for bit} */
  public boolean isIdentical() {
    return outputs.stream().allMatch(VerifiedOutput::isBitIdentical);
  }
}
