package dev.stowage.onnxbudget.memory;

import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.plan.MalformedFileException;
import java.util.List;
import java.util.Map;

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
record EnginePrediction(
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

  /**
   * {@return the memory for some dimensions}
   *
   * @param dimensions the sizes of open dimensions, by name or by position as {@code input[axis]}
   * @param calibration the workspaces of kernels
   */
  static EnginePrediction of(
      OptimizedModel model, Map<String, Long> dimensions, WorkspaceCalibration calibration)
      throws MalformedFileException {
    SizedGraph sized = model.sized(dimensions);
    Map<Integer, List<SizedBody>> bodies = model.sizedBodies(sized);
    List<Request> load = model.loadRequests();
    RunPrediction bare = model.runs(sized, bodies, (_, _) -> List.of());
    RunPrediction full =
        model.runs(sized, bodies, (node, sizes) -> model.workspace(node, sizes, calibration));
    boolean hasArena = model.settings().hasArena();
    return new EnginePrediction(
        sized.bytes(GraphValue.Source.INITIALIZER),
        RunPrediction.liveBytes(load),
        sized.bytes(GraphValue.Source.INPUT),
        sized.outputBytes(),
        RunPrediction.peakBytes(bare.intermediates()),
        bare.blockBytes(),
        model.graph().nodes().stream()
            .mapToLong(node ->
                model.workspace(node, sized, calibration).stream().mapToLong(Long::longValue).sum())
            .max()
            .orElse(0),
        ArenaUse.after(load, bare, 0, hasArena),
        ArenaUse.after(load, bare, 1, hasArena),
        ArenaUse.after(load, bare, 2, hasArena),
        ArenaUse.after(load, full, 2, hasArena),
        model.notes(sized, bodies, calibration));
  }
}
