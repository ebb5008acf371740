package dev.stowage.onnx;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The report on a run of a model in planned memory.
 *
 * @param seed the seed of the inputs
 * @param outputs the outputs, compared with ONNX Runtime's
 * @param plannedBytes the bytes of the arena
 * @param enginePeakBytes the peak of the bytes that ONNX Runtime's own run used for results,
 *     outputs and scratch memory; empty if it is unknown
 * @param notes sentences for the user
 */
public record VerificationReport(
    long seed,
    List<Output> outputs,
    long plannedBytes,
    OptionalLong enginePeakBytes,
    List<String> notes) {

  /**
   * An output of a model that ran in planned memory, compared with ONNX Runtime's output.
   *
   * @param name the name
   * @param type the type; empty if it is not a tensor
   * @param elementCount the number of elements
   * @param isBitIdentical true if it is identical to the output of ONNX Runtime's own run without
   *     optimizations, bit for bit
   * @param maxAbsDifference the largest difference of an element from that run; {@link
   *     Double#MAX_VALUE} if only one of two elements is NaN, or if the shapes differ
   * @param optimizedMaxAbsDifference the same for a run with ONNX Runtime's default optimizations
   */
  public record Output(
      String name,
      Optional<OnnxTensorType> type,
      long elementCount,
      boolean isBitIdentical,
      double maxAbsDifference,
      double optimizedMaxAbsDifference) {}

  /** Creates a report. */
  public VerificationReport {
    outputs = List.copyOf(outputs);
    notes = List.copyOf(notes);
  }

  /** {@return true if every output is identical to ONNX Runtime's, bit for bit} */
  public boolean isIdentical() {
    return outputs.stream().allMatch(Output::isBitIdentical);
  }
}
