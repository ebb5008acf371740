package dev.stowage.litert;

import dev.stowage.litert.engine.EngineOutput;
import java.util.List;
import java.util.OptionalLong;

/**
 * The report on runs of a model in planned memory.
 *
 * @param seed the seed of the inputs
 * @param outputs the outputs, compared with TensorFlow Lite's
 * @param plannedBytes the bytes of the arena
 * @param engineArenaBytes the bytes of TensorFlow Lite's own arena for the main subgraph, with its
 *     inputs, outputs and temporary tensors; empty if it has none
 * @param reorderedArenaBytes those in the order of the plan; empty if it is the order of the file
 * @param notes sentences for the user
 */
public record LiteReport(
    long seed,
    List<EngineOutput> outputs,
    long plannedBytes,
    OptionalLong engineArenaBytes,
    OptionalLong reorderedArenaBytes,
    List<String> notes) {

  /** Creates a report. */
  public LiteReport {
    outputs = List.copyOf(outputs);
    notes = List.copyOf(notes);
  }

  /** {@return true if every output is identical to TensorFlow Lite's, bit for bit} */
  public boolean isIdentical() {
    return outputs.stream().allMatch(EngineOutput::isBitIdentical);
  }
}
