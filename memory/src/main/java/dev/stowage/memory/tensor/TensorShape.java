package dev.stowage.memory.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The number of elements of a tensor in each dimension. Elements of the last dimension are
 * adjacent.
 *
 * @param dimensions the number of elements in each dimension; empty for a single element
 */
public record TensorShape(List<Long> dimensions) {

  /**
   * Creates a shape.
   *
   * @throws IllegalArgumentException if a dimension is negative, or the elements exceed a {@code
   *     long}
   */
  public TensorShape {
    dimensions = List.copyOf(dimensions);
    if (dimensions.stream().anyMatch(dimension -> dimension < 0)) {
      throw new IllegalArgumentException(
          "dimensions must not be negative: dimensions=" + dimensions);
    }
    count(dimensions);
  }

  /**
   * {@return a shape}
   *
   * @param dimensions the number of elements in each dimension
   * @throws IllegalArgumentException as the constructor
   */
  public static TensorShape of(long... dimensions) {
    return new TensorShape(Arrays.stream(dimensions).boxed().toList());
  }

  private static long count(List<Long> dimensions) {
    if (dimensions.contains(0L)) {
      return 0; // also if the others would overflow
    }
    long count = 1;
    for (long dimension : dimensions) {
      if (count > Long.MAX_VALUE / dimension) {
        throw new IllegalArgumentException(
            "a shape must not have more than 2^63-1 elements: dimensions=" + dimensions);
      }
      count *= dimension;
    }
    return count;
  }

  /** {@return the number of dimensions} */
  public int rank() {
    return dimensions.size();
  }

  /** {@return the number of elements; 1 without dimensions} */
  public long elementCount() {
    return count(dimensions);
  }

  /**
   * {@return the bytes of the elements}
   *
   * @param type the type of the elements
   * @throws IllegalArgumentException if the bytes exceed a {@code long}
   * @throws IllegalStateException if the type has no fixed size
   */
  public long byteCount(DataType type) {
    return type.bytes(elementCount());
  }

  /**
   * {@return the position of an element among all elements, from 0}
   *
   * @param indexes an index for each dimension
   * @throws IllegalArgumentException if {@code indexes.length != rank()}
   * @throws IndexOutOfBoundsException if an index is negative or at least its dimension
   */
  public long elementIndex(long... indexes) {
    if (indexes.length != rank()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "shape %s needs %d indexes: indexes=%s",
              this,
              rank(),
              Arrays.toString(indexes)));
    }
    long element = 0;
    for (int i = 0; i < indexes.length; i++) {
      long dimension = dimensions.get(i);
      if (indexes[i] < 0 || indexes[i] >= dimension) {
        throw new IndexOutOfBoundsException(
            String.format(
                Locale.ROOT, "shape %s has no element at %s", this, Arrays.toString(indexes)));
      }
      element = element * dimension + indexes[i];
    }
    return element;
  }

  /** {@return this shape with another first dimension} */
  TensorShape withFirst(long first) {
    return new TensorShape(Stream.concat(Stream.of(first), dimensions.stream().skip(1)).toList());
  }

  /** {@return such as {@code [2, 3]}} */
  @Override
  public String toString() {
    return dimensions.toString();
  }
}
