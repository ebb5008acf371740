package dev.stowage.cli.budget;

import dev.stowage.budget.SampleAxis;
import dev.stowage.onnxbudget.EngineConstants;
import dev.stowage.onnxbudget.memory.WorkspaceCalibration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The service whose memory is predicted.
 *
 * @param dimensions the dimensions with one size
 * @param axes the points of the other dimensions
 * @param ranges the dimensions of {@code axes} that may have other sizes than those of the points
 * @param sessions the number of sessions
 * @param threads the number of threads of each session
 * @param heapBytes the heap of the Java process, if the budget includes the process
 * @param limitBytes the limit, if there is one
 * @param fit the name of the size to search, if requested
 * @param isMeasured true to measure each shape
 * @param cpu the processor that will run the service
 * @param constants the constants of the machine
 * @param workspaces the workspaces of kernels
 */
public record BudgetRequest(
    Map<String, Long> dimensions,
    List<SampleAxis> axes,
    Set<String> ranges,
    int sessions,
    int threads,
    OptionalLong heapBytes,
    OptionalLong limitBytes,
    Optional<String> fit,
    boolean isMeasured,
    CpuChoice cpu,
    EngineConstants constants,
    WorkspaceCalibration workspaces) {

  /**
   * {@return true if a file is a model for TensorFlow Lite Micro, and not for ONNX Runtime}
   *
   * @param path the file as on the command line
   */
  public static boolean isMicro(String path) {
    return path.toLowerCase(Locale.ROOT).endsWith(".tflite");
  }

  /** {@return this request for a .tflite model, which has no open dimensions and no engine} */
  BudgetRequest forMicro() {
    return new BudgetRequest(
        Map.of(),
        List.of(),
        Set.of(),
        sessions,
        threads,
        heapBytes,
        limitBytes,
        fit,
        false,
        cpu,
        constants,
        workspaces);
  }

  /**
   * {@return this request for another processor}
   *
   * @param newCpu the processor
   * @param newWorkspaces the workspaces of its kernels
   */
  public BudgetRequest withCpu(CpuChoice newCpu, WorkspaceCalibration newWorkspaces) {
    return new BudgetRequest(
        dimensions,
        axes,
        ranges,
        sessions,
        threads,
        heapBytes,
        limitBytes,
        fit,
        isMeasured,
        newCpu,
        constants,
        newWorkspaces);
  }
}
