package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import dev.stowage.onnxruntime.capi.EngineTelemetry;
import dev.stowage.onnxruntime.capi.LibraryCopies;

/** ONNX Runtime's environment, and the options of its sessions. */
final class EngineEnvironment {

  private EngineEnvironment() {}

  /**
   * {@return the environment of the process, without log messages unless the program created it}
   */
  static OrtEnvironment get() {
    OrtEnvironment environment =
        OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    TelemetryWarning.log();
    LibraryCopies.delete();
    return environment;
  }

  /** Warns of the engine's telemetry when this class is initialized. */
  private static final class TelemetryWarning {

    static {
      EngineTelemetry.warning(OrtEnvironment.getEnvironment().getVersion(), System.getenv())
          .ifPresent(warning ->
              System.getLogger("dev.stowage.onnx").log(System.Logger.Level.WARNING, warning));
    }

    /** The initialization of the class has logged the warning. */
    static void log() {}
  }

  /** {@return options for reproducible results, without log messages} */
  static SessionOptions options(OptLevel level) throws OrtException {
    SessionOptions options = new SessionOptions();
    options.setOptimizationLevel(level);
    options.setIntraOpNumThreads(1);
    options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    return options;
  }
}
