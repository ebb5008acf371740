package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;

/** How ONNX Runtime is used here: one environment for the process, and sessions that are alike. */
final class EngineEnvironment {

  private EngineEnvironment() {}

  /**
   * {@return the environment, which says nothing on its own: what is wrong, its exceptions say}
   *
   * <p>Where the process has one already, that one, as it is.
   */
  static OrtEnvironment get() {
    return OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
  }

  /** {@return options under which the engine computes one thing in one way, and is silent} */
  static SessionOptions options(OptLevel level) throws OrtException {
    SessionOptions options = new SessionOptions();
    options.setOptimizationLevel(level);
    options.setIntraOpNumThreads(1);
    options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    return options;
  }
}
