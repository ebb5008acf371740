package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtException;
import dev.stowage.core.MalformedFileException;
import java.util.regex.Pattern;

/** What ONNX Runtime says of a model that it does not take, in one line. */
final class EngineRefusal {

  /** What stands before each message: its code, and the file, which ours name themselves. */
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
    return "ONNX Runtime refuses it: " + BEFORE.matcher(message).replaceFirst("");
  }

  private static MalformedFileException caused(
      MalformedFileException malformed, OrtException refusal) {
    malformed.initCause(refusal);
    return malformed;
  }
}
