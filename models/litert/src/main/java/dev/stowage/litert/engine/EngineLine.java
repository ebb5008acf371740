package dev.stowage.litert.engine;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * A line that the process of the engine prints; other lines are TensorFlow Lite's own.
 *
 * @param kind the kind
 * @param value the rest of the line
 */
public record EngineLine(Kind kind, String value) {

  private static final String PREFIX = "stowage-litert ";

  /** The kinds of lines. */
  public enum Kind {
    /** The runs that follow. */
    PHASE,
    /** The number of operators that have run in planned memory. */
    OPERATORS,
    /** The bytes of TensorFlow Lite's own arena. */
    ARENA,
    /** The bytes of TensorFlow Lite's own arena in the new order. */
    REORDERED_ARENA,
    /** The index and the bytes of a tensor that is larger in TensorFlow Lite than planned. */
    LARGER,
    /** The index of a tensor that is not in planned memory. */
    UNPLACED,
    /** An output, as an {@link EngineOutput}. */
    OUTPUT,
    /** The name of an output of which all elements are the same, encoded. */
    CONSTANT,
    /** The reason why the library is not loaded, encoded. */
    NOT_LOADED,
    /** The reason why TensorFlow Lite does not run the model, encoded. */
    REFUSED,
    /** The reason why the memory of the machine is too small, encoded. */
    OUT_OF_MEMORY,
    /** The end of all runs, with the number of outputs. */
    END
  }

  /** {@return a line with a text of any characters} */
  static EngineLine encoded(Kind kind, String text) {
    return new EngineLine(kind, encode(text));
  }

  static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  static String decode(String text) {
    return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
  }

  /**
   * {@return the text of the value, if it is encoded, with question marks for control characters}
   */
  public String text() {
    return decode(value).replaceAll("\\p{Cc}", "?");
  }

  /** {@return the line of a text; empty if it is one of TensorFlow Lite} */
  public static Optional<EngineLine> parse(String line) {
    if (!line.startsWith(PREFIX)) {
      return Optional.empty();
    }
    String[] parts = line.substring(PREFIX.length()).split(" ", 2);
    return Optional.of(new EngineLine(Kind.valueOf(parts[0]), parts[1]));
  }

  /** Prints the line after a line break, since kernels may print text without one. */
  void printTo(PrintStream out) {
    out.print("\n" + this + "\n");
    out.flush();
  }

  @Override
  public String toString() {
    return PREFIX + kind + " " + value;
  }
}
