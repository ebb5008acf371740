package dev.stowage.litert.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A copy of an output of a run.
 *
 * @param name the name
 * @param typeName the name of the type, such as {@code FLOAT32}
 * @param typeCode the type as in {@code TfLiteType}
 * @param shape the dimensions
 * @param data the bytes
 */
record LiteOutput(
    String name, String typeName, int typeCode, List<Integer> shape, MemorySegment data) {

  /** {@return the number of elements} */
  long elementCount() {
    long count = 1;
    for (int dimension : shape) {
      count *= dimension;
    }
    return count;
  }

  /** {@return true if there are several elements and all of them are the same} */
  boolean isConstant() {
    long count = elementCount();
    if (count <= 1 || data.byteSize() % count != 0) {
      return false;
    }
    long elementBytes = data.byteSize() / count;
    return data.asSlice(elementBytes).mismatch(data.asSlice(0, data.byteSize() - elementBytes))
        == -1;
  }

  boolean isIdenticalTo(LiteOutput other) {
    return typeCode == other.typeCode
        && shape.equals(other.shape)
        && data.mismatch(other.data) == -1;
  }

  /**
   * {@return the largest difference of two elements; {@link Double#MAX_VALUE} if only one of two is
   * NaN, or if the outputs cannot be compared}
   */
  double maxAbsDifference(LiteOutput other) {
    if (isIdenticalTo(other)) {
      return 0;
    }
    LiteType type = LiteType.ofCode(typeCode).orElse(LiteType.UINT8);
    if (typeCode != other.typeCode
        || !shape.equals(other.shape)
        || data.byteSize() != other.data.byteSize()) {
      return Double.MAX_VALUE;
    }
    double most = 0;
    for (long at = 0; at <= data.byteSize() - type.bytes(); at += type.bytes()) {
      most = Math.max(most, difference(type.number(data, at), type.number(other.data, at)));
    }
    return most;
  }

  private static double difference(double one, double other) {
    if (Double.compare(one, other) == 0) {
      return 0;
    }
    double difference = Math.abs(one - other);
    return Double.isFinite(difference) ? difference : Double.MAX_VALUE;
  }
}
