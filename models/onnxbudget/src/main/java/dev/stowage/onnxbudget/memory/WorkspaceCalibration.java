package dev.stowage.onnxbudget.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measured workspaces of kernels, which depend on the machine, the version of ONNX Runtime and the
 * number of threads.
 *
 * <p>An operator that was measured with the same types has the measured workspace. For other types,
 * its workspace is the largest measured share of the bytes of inputs and results. An operator
 * without measurements has no workspace. Immutable.
 */
public final class WorkspaceCalibration {

  /** The factor between the bytes of operators whose shares are comparable. */
  private static final int COMPARABLE = 4;

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
   * {@return the sizes of the requests of an operator that was measured with the same types}
   *
   * @param operator the operator with its attributes and the number of threads
   * @param types the types of its inputs and results
   */
  Optional<List<Long>> measured(String operator, String types) {
    return Optional.ofNullable(workspaces.getOrDefault(operator, Map.of()).get(types))
        .map(OperatorWorkspace::bufferBytes);
  }

  /**
   * {@return the sizes of the requests of an operator, from the largest measured share of the bytes
   * of inputs and results}
   *
   * <p>The measurements are those of the same operator and attributes. If there are none, they are
   * those of the operator with other attributes and threads. Some workspaces do not grow with the
   * tensors, so that their share is large if the tensors are small. Measurements with less than a
   * quarter of the bytes therefore count only if there are no others, and then only the measurement
   * with the most bytes counts.
   *
   * @param operator the operator with its attributes and the number of threads
   * @param tensorBytes the bytes of its inputs and results
   */
  List<Long> scaled(String operator, long tensorBytes) {
    Collection<OperatorWorkspace> same = workspaces.getOrDefault(operator, Map.of()).values();
    List<OperatorWorkspace> candidates = new ArrayList<>(same);
    if (same.isEmpty()) {
      workspaces.forEach((name, types) -> {
        if (type(name).equals(type(operator))) {
          candidates.addAll(types.values());
        }
      });
    }
    long largest = candidates.stream().mapToLong(OperatorWorkspace::tensorBytes).max().orElse(0);
    long least = Math.min(largest, tensorBytes / COMPARABLE);
    return candidates.stream()
        .filter(candidate -> candidate.tensorBytes() >= least)
        .max(Comparator.comparingDouble(WorkspaceCalibration::share))
        .map(candidate -> candidate.scaledTo(tensorBytes))
        .orElse(List.of());
  }

  /** {@return true if the operator was measured, with any attributes and threads} */
  boolean isMeasured(String operator) {
    return workspaces.keySet().stream().anyMatch(name -> type(name).equals(type(operator)));
  }

  /** {@return the operator without attributes and threads} */
  private static String type(String operator) {
    int end = operator.indexOf('(');
    return end < 0 ? operator : operator.substring(0, end);
  }

  private static double share(OperatorWorkspace workspace) {
    return (double) workspace.bytes() / Math.max(1, workspace.tensorBytes());
  }
}
