package dev.stowage.onnxbudget.memory;

import java.util.List;

/**
 * The memory of a session of ONNX Runtime, computed before a run.
 *
 * @param weightBytes the initializers of the optimized graph in the loaded model
 * @param keptBytes the small initializers and the packed copies of weights that the session keeps
 *     in its allocator
 * @param inputBytes the inputs, in memory of the caller
 * @param outputBytes the outputs of a run, until the caller closes them; requested in each run
 * @param activationBytes the most bytes of intermediate tensors at a time in a run that requests
 *     each of them
 * @param blockBytes the block of intermediate tensors of a run with a memory pattern; 0 without
 *     patterns
 * @param workspaceBytes the largest workspace of an operator that the calibration has; 0 without
 *     one
 * @param load the allocator when the session has been created
 * @param firstRun the allocator after the first run, without workspaces
 * @param laterRuns the allocator after the second run, without workspaces
 * @param withWorkspace the allocator after the second run, with the workspaces of the calibration
 * @param notes sentences on parts that the prediction lacks
 */
public record EnginePrediction(
    long weightBytes,
    long keptBytes,
    long inputBytes,
    long outputBytes,
    long activationBytes,
    long blockBytes,
    long workspaceBytes,
    ArenaUse load,
    ArenaUse firstRun,
    ArenaUse laterRuns,
    ArenaUse withWorkspace,
    List<String> notes) {

  /** Creates a prediction. */
  public EnginePrediction {
    notes = List.copyOf(notes);
  }
}
