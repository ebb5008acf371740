package dev.stowage.memory.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How many elements a tensor has in each dimension, the last one being next to each other.
 *
 * @param dimensions how many in each; none for a single element
 */
public record TensorShape(List<Long> dimensions) {

  /**
   * A shape.
   *
   * @throws IllegalArgumentException if a dimension is negative, or there are more elements than a
   *     {@code long} can count
   */
  public TensorShape {
    dimensions = List.copyOf(dimensions);
    if (dimensions.stream().anyMatch(dimension -> dimension < 0)) {
      throw new IllegalArgumentException("a shape has a negative dimension: " + dimensions);
    }
    count(dimensions);
  }

  /**
   * {@return a shape}
   *
   * @param dimensions how many elements in each dimension
   * @throws IllegalArgumentException as the constructor
   */
  public static TensorShape of(long... dimensions) {
    return new TensorShape(Arrays.stream(dimensions).boxed().toList());
  }

  private static long count(List<Long> dimensions) {
    if (dimensions.contains(0L)) {
      return 0; // also where the others would overflow
    }
    long count = 1;
    for (long dimension : dimensions) {
      if (count > Long.MAX_VALUE / dimension) {
        throw new IllegalArgumentException("a shape has more than 2^63-1 elements: " + dimensions);
      }
      count *= dimension;
    }
    return count;
  }

  /** {@return how many dimensions it has} */
  public int rank() {
    return dimensions.size();
  }

  /** {@return how many elements it has; 1 without dimensions} */
  public long elementCount() {
    return count(dimensions);
  }

  /**
   * {@return how many bytes its elements take}
   *
   * @param type what they are
   * @throws IllegalArgumentException if the bytes are more than a {@code long} can count
   * @throws IllegalStateException if the type has no fixed size
   */
  public long byteCount(DataType type) {
    return type.bytes(elementCount());
  }

  /**
   * {@return which element is at a place, counted from 0}
   *
   * @param indexes the place, an index for each dimension
   * @throws IllegalArgumentException if {@code indexes.length != rank()}
   * @throws IndexOutOfBoundsException if an index is negative, or not below its dimension
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
                Locale.ROOT, "shape %s has nothing at %s", this, Arrays.toString(indexes)));
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
