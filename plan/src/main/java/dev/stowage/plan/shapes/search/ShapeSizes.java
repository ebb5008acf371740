package dev.stowage.plan.shapes.search;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.util.List;

/** The sizes of all records for some shapes. */
final class ShapeSizes {

  private final int shapeCount;

  /** The size of each record for each shape. */
  private final long[][] bytes;

  private ShapeSizes(int shapeCount, long[][] bytes) {
    this.shapeCount = shapeCount;
    this.bytes = bytes;
  }

  /** {@return the sizes of some shapes} */
  static ShapeSizes of(SymbolicProblem problem, List<DimensionValues> shapes) {
    return new ShapeSizes(shapes.size(), problem.bytesAt(shapes));
  }

  /** {@return the sizes of another shape, which comes first, and then these} */
  ShapeSizes after(long[] first) {
    long[][] longer = new long[bytes.length][shapeCount + 1];
    for (int record = 0; record < longer.length; record++) {
      longer[record][0] = first[record];
      System.arraycopy(bytes[record], 0, longer[record], 1, shapeCount);
    }
    return new ShapeSizes(shapeCount + 1, longer);
  }

  /** {@return the size of each record of a problem of one shape} */
  static long[] of(PlanProblem problem) {
    return problem.records().stream().mapToLong(TensorUsageRecord::bytes).toArray();
  }

  int shapeCount() {
    return shapeCount;
  }

  /** {@return the size of a record for each shape; the caller does not change it} */
  long[] ofRecord(int record) {
    return bytes[record];
  }

  /** {@return the size of each record for one shape} */
  long[] ofShape(int shape) {
    long[] sizes = new long[bytes.length];
    for (int record = 0; record < sizes.length; record++) {
      sizes[record] = bytes[record][shape];
    }
    return sizes;
  }
}
