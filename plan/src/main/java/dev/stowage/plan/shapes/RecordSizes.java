package dev.stowage.plan.shapes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sizes of a problem's records in a form that is evaluated fast for many shapes. Immutable.
 *
 * <p>Records with equal expressions share their values: a shape costs a few nanoseconds for each
 * different part of an expression.
 */
final class RecordSizes {

  private final DimensionRanges ranges;

  /** Computes the different sizes. */
  private final SizeProgram program;

  private final int differentCount;

  /** The index of each record's size among the different ones. */
  private final int[] indices;

  private RecordSizes(DimensionRanges ranges, List<SizeExpression> different, int[] indices) {
    this.ranges = ranges;
    this.indices = indices;
    differentCount = different.size();
    List<String> dimensions = ranges.ranges().stream().map(DimensionRange::name).toList();
    program = SizeProgram.of(different, dimensions);
  }

  /**
   * {@return the sizes of the records of a problem}
   *
   * @param records the records
   * @param ranges the ranges of their dimensions
   */
  static RecordSizes of(List<SymbolicRecord> records, DimensionRanges ranges) {
    Map<SizeExpression, Integer> different = new LinkedHashMap<>();
    int[] indices = new int[records.size()];
    for (int i = 0; i < indices.length; i++) {
      SizeExpression bytes = records.get(i).bytes();
      Integer known = different.putIfAbsent(bytes, different.size());
      indices[i] = known == null ? different.size() - 1 : known;
    }
    return new RecordSizes(ranges, List.copyOf(different.keySet()), indices);
  }

  /**
   * {@return the size of each record for one shape, in bytes}
   *
   * @param values a value within the range of each dimension
   * @throws IllegalArgumentException if a dimension has no value or a value out of its range
   */
  long[] at(DimensionValues values) {
    long[] different = different(values);
    long[] sizes = new long[indices.length];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = different[indices[i]];
    }
    return sizes;
  }

  /**
   * {@return for each record, its size for each of some shapes}
   *
   * <p>Records with equal expressions share an array.
   *
   * @param shapes the shapes, each with a value within the range of each dimension
   * @throws IllegalArgumentException as for {@link #at(DimensionValues)}
   */
  long[][] at(List<DimensionValues> shapes) {
    long[][] different = new long[differentCount][shapes.size()];
    for (int shape = 0; shape < shapes.size(); shape++) {
      long[] ofShape = different(shapes.get(shape));
      for (int i = 0; i < ofShape.length; i++) {
        different[i][shape] = ofShape[i];
      }
    }
    long[][] sizes = new long[indices.length][];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = different[indices[i]];
    }
    return sizes;
  }

  private long[] different(DimensionValues values) {
    return program.evaluate(ranges.checkedValues(values));
  }
}
