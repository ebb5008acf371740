package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtException;
import dev.stowage.plan.MalformedFileException;
import java.util.regex.Pattern;

/** The error for a model that ONNX Runtime rejects, with its message on one line. */
final class EngineRefusal {

  /** The start of ONNX Runtime's messages: a code, and the file, which Stowage's messages name. */
  private static final Pattern BEFORE =
      Pattern.compile("^Error code - \\w+ - message: (Load model from .*? failed: ?)?");

  private EngineRefusal() {}

  static MalformedFileException of(String source, OrtException refusal) {
    return caused(new MalformedFileException(source, sentence(refusal)), refusal);
  }

  static MalformedFileException of(String source, String place, OrtException refusal) {
    return caused(new MalformedFileException(source, place, sentence(refusal)), refusal);
  }

  private static String sentence(OrtException refusal) {
    String message = String.valueOf(refusal.getMessage()).strip().replaceAll("\\s+", " ");
    return "ONNX Runtime rejects it: " + BEFORE.matcher(message).replaceFirst("");
  }

  private static MalformedFileException caused(
      MalformedFileException malformed, OrtException refusal) {
    malformed.initCause(refusal);
    return malformed;
  }
}
