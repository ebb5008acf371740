package dev.stowage.onnx.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measured workspaces of kernels, which depend on the machine, the version of ONNX Runtime and the
 * number of threads.
 *
 * <p>An operator that was measured with the same types has the measured workspace. An operator with
 * other types has the share of the bytes of its inputs and results that was measured for the same
 * operator and attributes, the largest one. Other operators have no workspace. Immutable.
 */
public final class WorkspaceCalibration {

  private static final WorkspaceCalibration NONE = new WorkspaceCalibration(List.of());

  private final Map<String, Map<String, OperatorWorkspace>> workspaces = new HashMap<>();

  private WorkspaceCalibration(Collection<OperatorWorkspace> measured) {
    for (OperatorWorkspace workspace : measured) {
      workspaces
          .computeIfAbsent(workspace.operator(), operator -> new HashMap<>())
          .merge(workspace.types(), workspace, WorkspaceCalibration::larger);
    }
  }

  private static OperatorWorkspace larger(OperatorWorkspace one, OperatorWorkspace other) {
    return one.bytes() >= other.bytes() ? one : other;
  }

  /** {@return a calibration without workspaces} */
  public static WorkspaceCalibration none() {
    return NONE;
  }

  /**
   * {@return a calibration}
   *
   * @param measured the workspaces; of two for the same operator and types, the larger one counts
   */
  public static WorkspaceCalibration of(Collection<OperatorWorkspace> measured) {
    return new WorkspaceCalibration(measured);
  }

  /** {@return this calibration and another one} */
  public WorkspaceCalibration and(WorkspaceCalibration other) {
    List<OperatorWorkspace> all = new ArrayList<>(workspaces());
    all.addAll(other.workspaces());
    return new WorkspaceCalibration(all);
  }

  /** {@return the workspaces by ascending operators and types} */
  public List<OperatorWorkspace> workspaces() {
    return workspaces.values().stream()
        .flatMap(types -> types.values().stream())
        .sorted(
            Comparator.comparing(OperatorWorkspace::operator)
                .thenComparing(OperatorWorkspace::types))
        .toList();
  }

  /**
   * {@return the sizes of the requests of an operator for its workspace}
   *
   * @param operator the operator with its attributes and the number of threads
   * @param types the types of its inputs and results
   * @param tensorBytes the bytes of its inputs and results
   */
  List<Long> bufferBytes(String operator, String types, long tensorBytes) {
    Map<String, OperatorWorkspace> measured = workspaces.getOrDefault(operator, Map.of());
    OperatorWorkspace same = measured.get(types);
    if (same != null) {
      return same.bufferBytes();
    }
    return measured.values().stream()
        .max(Comparator.comparingDouble(WorkspaceCalibration::share))
        .map(largest -> largest.scaledTo(tensorBytes))
        .orElse(List.of());
  }

  private static double share(OperatorWorkspace workspace) {
    return (double) workspace.bytes() / Math.max(1, workspace.tensorBytes());
  }
}
