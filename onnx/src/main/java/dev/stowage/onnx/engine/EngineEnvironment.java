package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtLoggingLevel;

/** What a process has one of: ONNX Runtime with its logging. */
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
}
