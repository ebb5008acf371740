package dev.stowage.onnxruntime.capi;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The telemetry of ONNX Runtime.
 *
 * <p>On Linux and macOS, official builds from 1.29 on report the names of models and their use to
 * the vendor of ONNX Runtime. They begin when the library is loaded, so that its API is too late:
 * only an environment variable of the process switches the telemetry off.
 */
public final class EngineTelemetry {

  /** The environment variable that switches the telemetry off if it is 1. */
  public static final String VARIABLE = "ORT_DISABLE_TELEMETRY";

  private static final int FIRST_MINOR_VERSION = 29;

  private EngineTelemetry() {}

  /**
   * {@return a warning if the telemetry may be on, else empty}
   *
   * @param version the version of ONNX Runtime, such as {@code 1.29.0}
   * @param environment the environment variables of this process
   */
  public static Optional<String> warning(String version, Map<String, String> environment) {
    if (!hasTelemetry(version) || environment.getOrDefault(VARIABLE, "").equals("1")) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "ONNX Runtime %s reports the use of models to its vendor unless the process starts with the environment variable %s=1: %s",
            version,
            VARIABLE,
            environment.containsKey(VARIABLE)
                ? VARIABLE + "=" + environment.get(VARIABLE)
                : VARIABLE + " is not set"));
  }

  private static boolean hasTelemetry(String version) {
    return EngineRelease.of(version)
        .map(release -> release.isSince(FIRST_MINOR_VERSION))
        .orElse(true); // an unknown version may have it
  }
}
