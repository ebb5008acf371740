package dev.stowage.onnxbudget;

import dev.stowage.onnx.engine.ServiceSessions;
import dev.stowage.onnxbudget.memory.EngineVersion;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The versions of ONNX Runtime whose rules a budget can follow.
 *
 * <p>The rules were compared with the requests of these versions. Others may copy weights, share
 * buffers and request workspaces differently.
 */
public final class EngineRules {

  private EngineRules() {}

  /**
   * {@return a sentence if the rules were not compared with the engine of this process; otherwise
   * empty}
   *
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static Optional<String> difference() {
    return difference(ServiceSessions.version());
  }

  /**
   * {@return a sentence if workspaces cannot be measured with the engine of this process; otherwise
   * empty}
   *
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static Optional<String> unmeasuredWorkspaces() {
    return unmeasuredWorkspaces(ServiceSessions.version());
  }

  static Optional<String> unmeasuredWorkspaces(String version) {
    return EngineVersion.of(version).reportsOperators()
        ? Optional.empty()
        : Optional.of(
            "workspaces of operators were not measured: ONNX Runtime "
                + version
                + " does not report them, expected 1.26 or newer");
  }

  static Optional<String> difference(String version) {
    return EngineVersion.isCompared(version)
        ? Optional.empty()
        : Optional.of(
            "ONNX Runtime "
                + version
                + " was not compared; the rules are those of "
                + EngineVersion.of(version)
                + " (compared: "
                + Arrays.stream(EngineVersion.values())
                    .map(EngineVersion::toString)
                    .collect(Collectors.joining(", "))
                + ")");
  }
}
