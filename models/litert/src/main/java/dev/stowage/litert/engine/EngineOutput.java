package dev.stowage.litert.engine;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An output of the runs in planned memory, compared with that of the others.
 *
 * @param name the name
 * @param typeName the type of the elements, such as {@code FLOAT32}
 * @param shape the dimensions
 * @param elementCount the number of elements
 * @param isBitIdentical true if all runs without delegates have the same bits
 * @param maxAbsDifference the largest difference from the run of the whole model
 * @param optimizedMaxAbsDifference the largest difference from a run with XNNPACK
 */
public record EngineOutput(
    String name,
    String typeName,
    List<Long> shape,
    long elementCount,
    boolean isBitIdentical,
    double maxAbsDifference,
    double optimizedMaxAbsDifference) {

  private static final int FIELDS = 7;

  /** Creates an output. */
  public EngineOutput {
    shape = List.copyOf(shape);
  }

  /** {@return a line of text, which {@link #parse} reads} */
  String toLine() {
    return String.join(
        " ",
        EngineLine.encode(name),
        EngineLine.encode(typeName),
        Long.toString(elementCount),
        Boolean.toString(isBitIdentical),
        Double.toString(maxAbsDifference),
        Double.toString(optimizedMaxAbsDifference),
        "[" + shape.stream().map(String::valueOf).collect(Collectors.joining(",")) + "]");
  }

  /**
   * {@return the output of a line}
   *
   * @throws IllegalArgumentException if the line is of another form
   */
  public static EngineOutput parse(String line) {
    String[] fields = line.split(" ", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("expected seven fields: line=" + line);
    }
    String dimensions = fields[6].substring(1, fields[6].length() - 1);
    return new EngineOutput(
        EngineLine.decode(fields[0]),
        EngineLine.decode(fields[1]),
        dimensions.isEmpty()
            ? List.of()
            : Stream.of(dimensions.split(",", -1)).map(Long::valueOf).toList(),
        Long.parseLong(fields[2]),
        Boolean.parseBoolean(fields[3]),
        Double.parseDouble(fields[4]),
        Double.parseDouble(fields[5]));
  }
}
