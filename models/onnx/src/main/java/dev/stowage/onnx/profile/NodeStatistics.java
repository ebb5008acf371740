package dev.stowage.onnx.profile;

import dev.stowage.plan.MalformedFileException;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that the kernels of operators requested while they ran, in the file of node memory
 * statistics that ONNX Runtime writes.
 *
 * <p>The figure of an operator is the sum of its requests in a run, and the largest one of all
 * runs. Memory that a kernel frees and requests again counts twice.
 */
public final class NodeStatistics {

  private static final int NUMBER_COUNT = 4;
  private static final int MAX_LINE_CHARS = 1 << 20;
  private static final NodeStatistics NONE = new NodeStatistics("", Map.of());

  private final String source;
  private final Map<String, Long> requested;

  private NodeStatistics(String source, Map<String, Long> requested) {
    this.source = source;
    this.requested = Map.copyOf(requested);
  }

  /** {@return no statistics} */
  public static NodeStatistics none() {
    return NONE;
  }

  /**
   * {@return the statistics in a file of lines with a name and four numbers}
   *
   * @param source the name of the file in messages
   * @param file the file, which this method does not close
   * @throws MalformedFileException if the file has no statistics
   * @throws IOException if the file cannot be read
   */
  public static NodeStatistics read(String source, BufferedReader file) throws IOException {
    Map<String, Long> requested = new HashMap<>();
    long number = 0;
    for (@Nullable String line = line(source, 1, file);
        line != null;
        line = line(source, number + 1, file)) {
      number++;
      if (!line.isEmpty() && !line.startsWith("#")) {
        add(source, number, line, requested);
      }
    }
    if (requested.isEmpty()) {
      throw new MalformedFileException(
          source, "has no operator, expected node memory statistics of ONNX Runtime");
    }
    return new NodeStatistics(source, requested);
  }

  /** {@return the next line; null at the end of the file} */
  private static @Nullable String line(String source, long number, BufferedReader file)
      throws IOException {
    StringBuilder line = new StringBuilder();
    int next = file.read();
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n') {
      if (line.length() == MAX_LINE_CHARS) {
        throw new MalformedFileException(
            source,
            String.format(
                Locale.ROOT,
                "line %d is longer than %,d characters, expected node memory statistics of ONNX Runtime",
                number,
                MAX_LINE_CHARS));
      }
      line.append((char) next);
      next = file.read();
    }
    int end = line.length() - 1;
    if (end >= 0 && line.charAt(end) == '\r') {
      line.setLength(end);
    }
    return line.toString();
  }

  private static void add(String source, long number, String line, Map<String, Long> requested)
      throws MalformedFileException {
    String rest = line;
    long bytes = -1;
    for (int i = 0; i < NUMBER_COUNT; i++) {
      int comma = rest.lastIndexOf(',');
      long value = comma < 0 ? -1 : wholeNumber(rest.substring(comma + 1));
      if (value < 0) {
        throw new MalformedFileException(
            source,
            "line " + number,
            "expected the name of an operator and four whole numbers, found '"
                + MalformedFileException.excerpt(line)
                + "'");
      }
      bytes = i == 0 ? value : bytes;
      rest = rest.substring(0, comma);
    }
    // The name ends with a number that ONNX Runtime derives from the operator.
    int end = rest.lastIndexOf('_');
    requested.merge(end < 0 ? rest : rest.substring(0, end), bytes, Math::max);
  }

  /** {@return the number; -1 if the text is not one} */
  private static long wholeNumber(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** {@return the name of the file in messages} */
  public String source() {
    return source;
  }

  /** {@return true if there are no statistics} */
  public boolean isEmpty() {
    return requested.isEmpty();
  }

  /**
   * {@return the most bytes that the kernel of an operator requested; of operators without a name,
   * those of the same type have the largest figure}
   *
   * @param name the name of the operator, or its type if it has none
   */
  public OptionalLong requestedBytes(String name) {
    Long bytes = requested.get(name);
    return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
  }
}
