package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;

/** ONNX Runtime's environment, and the options of its sessions. */
final class EngineEnvironment {

  private EngineEnvironment() {}

  /**
   * {@return the environment of the process, without log messages unless the program created it}
   */
  static OrtEnvironment get() {
    return OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
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
