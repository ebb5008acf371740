package dev.stowage.testing.tflite;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A tensor of a graph that a {@link TfliteGraphBuilder} builds. */
public final class GraphTensor {

  private final int index;
  private final String name;
  private final byte type;
  private final List<Integer> shape;

  private GraphTensor(int index, String name, byte type, List<Integer> shape) {
    this.index = index;
    this.name = name;
    this.type = type;
    this.shape = shape;
  }

  /**
   * {@return a tensor with checked dimensions}
   *
   * @throws IllegalArgumentException if a dimension is not 1 to 2^31 - 1, or their product exceeds
   *     2^63 - 1
   */
  static GraphTensor of(int index, String name, byte type, long... shape) {
    checkedElementCount(name, shape);
    List<Integer> dimensions = Arrays.stream(shape).mapToInt(Math::toIntExact).boxed().toList();
    return new GraphTensor(index, name, type, dimensions);
  }

  /**
   * {@return the product of the dimensions of a tensor}
   *
   * @throws IllegalArgumentException as {@link #of}
   */
  static long checkedElementCount(String name, long... shape) {
    long elements = 1;
    for (long dimension : shape) {
      if (dimension < 1 || dimension > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "dimensions of tensor '%s' must be 1 to 2147483647: %s",
                name,
                Arrays.toString(shape)));
      }
      if (elements > Long.MAX_VALUE / dimension) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "tensor '%s' must have at most 2^63 - 1 elements: %s",
                name,
                Arrays.toString(shape)));
      }
      elements *= dimension;
    }
    return elements;
  }

  /** {@return the index in the subgraph} */
  public int index() {
    return index;
  }

  /** {@return the name, which is unique in the graph} */
  public String name() {
    return name;
  }

  /** {@return the type of the elements} */
  public byte type() {
    return type;
  }

  /** {@return the dimensions; an image has batch, height, width, channels} */
  public List<Integer> shape() {
    return shape;
  }

  /** {@return a dimension} */
  int dimension(int axis) {
    return shape.get(axis);
  }

  /** {@return a copy of the dimensions} */
  long[] dimensions() {
    return shape.stream().mapToLong(Integer::longValue).toArray();
  }

  /** {@return the product of the dimensions} */
  long elementCount() {
    return checkedElementCount(name, dimensions());
  }

  /** {@return the name in quotes, and the dimensions} */
  @Override
  public String toString() {
    return "'" + name + "' " + shape;
  }
}
