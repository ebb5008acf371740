package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtException;
import dev.stowage.core.MalformedInputException;

/** What ONNX Runtime says of a model that it does not take, in one line. */
final class EngineRefusal {

  private EngineRefusal() {}

  static MalformedInputException of(String source, OrtException refusal) {
    return caused(new MalformedInputException(source, sentence(refusal)), refusal);
  }

  static MalformedInputException of(String source, String place, OrtException refusal) {
    return caused(new MalformedInputException(source, place, sentence(refusal)), refusal);
  }

  private static String sentence(OrtException refusal) {
    return "ONNX Runtime refuses it: "
        + String.valueOf(refusal.getMessage()).strip().replaceAll("\\s+", " ");
  }

  private static MalformedInputException caused(
      MalformedInputException malformed, OrtException refusal) {
    malformed.initCause(refusal);
    return malformed;
  }
}
