package dev.stowage.core.plan.shapes.search;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
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

  /**
   * {@return the sizes of some shapes}
   *
   * @param sizesOfShapes the size of each record, for each shape
   * @param recordCount the number of records
   */
  static ShapeSizes of(List<long[]> sizesOfShapes, int recordCount) {
    long[][] bytes = new long[recordCount][sizesOfShapes.size()];
    for (int shape = 0; shape < sizesOfShapes.size(); shape++) {
      for (int record = 0; record < recordCount; record++) {
        bytes[record][shape] = sizesOfShapes.get(shape)[record];
      }
    }
    return new ShapeSizes(sizesOfShapes.size(), bytes);
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
