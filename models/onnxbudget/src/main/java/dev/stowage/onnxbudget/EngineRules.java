package dev.stowage.onnxbudget;

import dev.stowage.onnx.engine.ServiceSessions;
import java.util.Optional;

/**
 * The version of ONNX Runtime whose rules a budget follows.
 *
 * <p>The rules follow from the source code of this version and were compared with its requests.
 * Other versions may order operators, share buffers and request workspaces differently.
 */
public final class EngineRules {

  /** The version, without the number of the patch. */
  public static final String VERSION = "1.29";

  private EngineRules() {}

  /**
   * {@return a sentence if the engine of this process has another version; otherwise empty}
   *
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static Optional<String> difference() {
    return difference(ServiceSessions.version());
  }

  static Optional<String> difference(String version) {
    return version.equals(VERSION) || version.startsWith(VERSION + ".")
        ? Optional.empty()
        : Optional.of(
            "the rules are those of ONNX Runtime "
                + VERSION
                + " and were not compared with version "
                + version);
  }
}
