package dev.stowage.onnxbudget.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Measures the workspaces of kernels with the C API of ONNX Runtime. */
public final class WorkspaceMeasurement {

  private WorkspaceMeasurement() {}

  /**
   * {@return the workspaces that the kernels of a model request in a run with zeros}
   *
   * <p>Only one thread of a process may call this method at a time. Operators of models with bodies
   * are not measured. Before 1.28, ONNX Runtime does not report to which operator a request
   * belongs, and nothing is measured.
   *
   * @param model the file
   * @param dimensions the sizes of open dimensions, by name or by position as {@code input[axis]}
   * @param settings the options of the session
   * @throws IOException if ONNX Runtime rejects the model or the dimensions, or files cannot be
   *     read or written
   * @throws IllegalCallerException if the C API of ONNX Runtime has no native access
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static WorkspaceCalibration run(
      Path model, Map<String, Long> dimensions, EngineSettings settings) throws IOException {
    RecordedRuns runs = RecordedRuns.of(model, dimensions, settings.withoutPattern(), 1);
    OptimizedModel optimized =
        OptimizedModel.of(model.toString(), runs.original(), runs.optimized(), settings);
    boolean isUndivided = runs.operators().isEmpty() && !optimized.graph().nodes().isEmpty();
    return optimized.hasBodies() || isUndivided
        ? WorkspaceCalibration.none()
        : optimized.calibrate(dimensions, runs.operators());
  }
}
