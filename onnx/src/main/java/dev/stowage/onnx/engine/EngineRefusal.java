package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtException;
import dev.stowage.core.MalformedInputException;

/** What ONNX Runtime says of a model that it does not take, in one line. */
final class EngineRefusal {

  private EngineRefusal() {}

  static MalformedInputException of(String source, OrtException refusal) {
    String message = String.valueOf(refusal.getMessage()).strip().replaceAll("\\s+", " ");
    MalformedInputException malformed =
        new MalformedInputException(source, "ONNX Runtime refuses it: " + message);
    malformed.initCause(refusal);
    return malformed;
  }
}
