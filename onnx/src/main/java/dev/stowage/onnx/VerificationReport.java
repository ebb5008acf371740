package dev.stowage.onnx;

import java.util.List;
import java.util.OptionalLong;

/**
 * What came of running a model in planned memory.
 *
 * @param seed of the model's inputs
 * @param outputs each output, beside the engine's own
 * @param plannedBytes the bytes of the arena
 * @param enginePeakBytes the bytes that the engine's own run had in use at most for what it
 *     computed, operators' scratch memory and its outputs with it; empty if it does not say
 * @param notes what a user should know, a sentence each
 */
public record VerificationReport(
    long seed,
    List<VerifiedOutput> outputs,
    long plannedBytes,
    OptionalLong enginePeakBytes,
    List<String> notes) {

  /** A report with lists of its own. */
  public VerificationReport {
    outputs = List.copyOf(outputs);
    notes = List.copyOf(notes);
  }

  /** {@return whether every output is the engine's own, bit for bit} */
  public boolean isIdentical() {
    return outputs.stream().allMatch(VerifiedOutput::isBitIdentical);
  }
}
