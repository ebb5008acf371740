package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A problem for all shapes, compared with the problems of single shapes. */
final class SymbolicShapes {

  private final ByteBuffer model;
  private final OnnxOptions options;
  private final DimensionRanges ranges;
  private final SymbolicOnnxProblem problem;

  SymbolicShapes(byte[] model, OnnxOptions options, DimensionRanges ranges) throws IOException {
    this.model = ByteBuffer.wrap(model);
    this.options = options;
    this.ranges = ranges;
    this.problem = OnnxReader.readSymbolic("test.onnx", this.model, options, ranges);
  }

  SymbolicOnnxProblem problem() {
    return problem;
  }

  /** {@return the corners of the ranges, up to a number} */
  List<DimensionValues> corners(int maxCount) {
    List<DimensionValues> corners = new ArrayList<>();
    int count = 1 << Math.min(ranges.ranges().size(), 20);
    for (int corner = 0; corner < count && corners.size() < maxCount; corner++) {
      Map<String, Long> values = new LinkedHashMap<>();
      for (int i = 0; i < ranges.ranges().size(); i++) {
        DimensionRange range = ranges.ranges().get(i);
        values.put(range.name(), (corner >> i & 1) == 0 ? range.first() : range.last());
      }
      corners.add(DimensionValues.of(values));
    }
    return corners;
  }

  /** {@return a random shape of the ranges} */
  DimensionValues any(Random random) {
    Map<String, Long> values = new LinkedHashMap<>();
    for (DimensionRange range : ranges.ranges()) {
      values.put(range.name(), range.first() + random.nextLong(range.last() - range.first() + 1));
    }
    return DimensionValues.of(values);
  }

  /**
   * Compares the records of a shape, except for those of 0 bytes.
   *
   * @return false if ONNX Runtime rejects the model for the shape
   */
  boolean agreesAt(DimensionValues shape) throws IOException {
    OnnxOptions fixed = options;
    for (Map.Entry<String, Long> dimension : shape.toMap().entrySet()) {
      fixed = fixed.withDimension(dimension.getKey(), dimension.getValue());
    }
    OnnxProblem expected;
    try {
      expected = OnnxReader.read("test.onnx", model, fixed);
    } catch (MalformedFileException e) {
      return false;
    }
    List<String> records = new ArrayList<>();
    for (TensorUsageRecord record : problem.problem().at(shape).records()) {
      if (record.bytes() > 0) {
        records.add(text(record));
      }
    }
    assertThat(records)
        .as("%s", shape)
        .isEqualTo(expected.problem().records().stream().map(SymbolicShapes::text).toList());
    assertThat(problem.nodes()).isEqualTo(expected.nodes());
    return true;
  }

  private static String text(TensorUsageRecord record) {
    return "%s: %s bytes, %s..%s"
        .formatted(record.name(), record.bytes(), record.firstTask(), record.lastTask());
  }
}
