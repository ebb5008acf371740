package dev.stowage.onnx.layout;

import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxReader;
import dev.stowage.onnx.OpenDimensionsException;
import dev.stowage.onnx.SymbolicOnnxProblem;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Runs of a model at several shapes, in the arenas of one layout for all shapes:
 *
 * {@snippet :
 * ShapesVerification shapes = ShapesVerification.load(file, OnnxOptions.defaults(), ranges);
 * ShapeLayout layout = OptimalPlanner.planShapes(shapes.problem(), SearchOptions.defaults());
 * for (DimensionValues shape : shapes.shapes(4, 42)) {
 *   ModelVerification verification = shapes.at(shape, 42, () -> false, _ -> {});
 *   verification.run(shapes.plan(layout, shape, verification)).isIdentical(); // true
 * }
 * }
 */
public final class ShapesVerification {

  /** The largest number of corners of the ranges. */
  private static final int MAX_CORNERS = 16;

  private final Path file;
  private final OnnxOptions options;
  private final SymbolicOnnxProblem model;
  private final SymbolicProblem problem;

  private ShapesVerification(Path file, OnnxOptions options, SymbolicOnnxProblem model) {
    this.file = file;
    this.options = options;
    this.model = model;
    this.problem = model.problem().withAlignment(ModelVerification.ALIGNMENT_BYTES);
  }

  /**
   * {@return the verification of a model for all shapes of ranges}
   *
   * @param file the model
   * @param options the options; their dimensions have one size
   * @param ranges the ranges of other open dimensions
   * @throws MalformedFileException as {@link OnnxReader#readSymbolic(Path, OnnxOptions,
   *     DimensionRanges)}
   * @throws OpenDimensionsException if sizes depend on open dimensions without a size or a range
   * @throws IllegalArgumentException if a dimension has a size and a range
   * @throws IOException if the file cannot be read
   */
  public static ShapesVerification load(Path file, OnnxOptions options, DimensionRanges ranges)
      throws IOException {
    return new ShapesVerification(file, options, OnnxReader.readSymbolic(file, options, ranges));
  }

  /** {@return the problem to plan, with the alignment of ONNX Runtime's own memory} */
  public SymbolicProblem problem() {
    return problem;
  }

  /** {@return sentences for the user on the model} */
  public List<String> notes() {
    return model.notes();
  }

  /**
   * {@return corners of the ranges, at most 16, and random shapes; each once}
   *
   * @param randomCount the number of random shapes
   * @param seed the seed of the random shapes
   */
  public List<DimensionValues> shapes(int randomCount, long seed) {
    DimensionRanges ranges = problem.ranges();
    int dimensionCount = ranges.ranges().size();
    Set<DimensionValues> shapes = new LinkedHashSet<>();
    shapes.add(ranges.first());
    shapes.add(ranges.last());
    for (int corner = 1; shapes.size() < MAX_CORNERS && corner >> dimensionCount == 0; corner++) {
      Map<String, Long> values = new LinkedHashMap<>();
      for (int i = 0; i < dimensionCount; i++) {
        DimensionRange range = ranges.ranges().get(i);
        boolean isFirst = (corner >> Math.min(i, Integer.SIZE - 1) & 1) == 0;
        values.put(range.name(), isFirst ? range.first() : range.last());
      }
      shapes.add(DimensionValues.of(values));
    }
    Random random = new Random(seed);
    for (int i = 0; i < randomCount; i++) {
      Map<String, Long> values = new LinkedHashMap<>();
      for (DimensionRange range : ranges.ranges()) {
        values.put(range.name(), random.nextLong(range.first(), range.last() + 1));
      }
      shapes.add(DimensionValues.of(values));
    }
    return List.copyOf(shapes);
  }

  /**
   * {@return the verification of the model at one shape}
   *
   * @param shape a value for each dimension with a range
   * @param seed the seed of the inputs
   * @param stop as for {@link ModelVerification#load(Path, OnnxOptions, long, BooleanSupplier,
   *     IntConsumer)}
   * @param operatorsDone as for this method
   * @throws MalformedFileException if ONNX Runtime rejects the model at this shape
   * @throws IllegalStateException if ONNX Runtime is missing
   * @throws java.util.concurrent.CancellationException if {@code stop} ends the loading
   * @throws IOException if the file cannot be read
   */
  public ModelVerification at(
      DimensionValues shape, long seed, BooleanSupplier stop, IntConsumer operatorsDone)
      throws IOException {
    OnnxOptions fixed = options;
    for (Map.Entry<String, Long> dimension : shape.toMap().entrySet()) {
      fixed = fixed.withDimension(dimension.getKey(), dimension.getValue());
    }
    return ModelVerification.load(file, fixed, seed, stop, operatorsDone);
  }

  /**
   * {@return the plan of one shape: the offsets of a layout}
   *
   * <p>Tensors whose size has no expression, which a run measures, are placed after the others,
   * each in memory of its own.
   *
   * @param layout a layout of {@link #problem()}
   * @param shape the shape
   * @param verification the verification of the model at this shape
   * @throws MalformedFileException if a tensor has another size than its expression, for example
   *     because the file contains a wrong shape
   */
  public OffsetsAssignment plan(
      ShapeLayout layout, DimensionValues shape, ModelVerification verification)
      throws MalformedFileException {
    OffsetsAssignment all = layout.at(shape);
    Map<String, Integer> indices = new HashMap<>();
    for (int i = 0; i < model.tensors().size(); i++) {
      indices.put(model.tensors().get(i).name(), i);
    }
    List<TensorUsageRecord> expressed = problem.at(shape).records();
    List<TensorUsageRecord> records = verification.problem().records();
    long[] offsets = new long[records.size()];
    long end = all.totalBytes();
    for (int i = 0; i < offsets.length; i++) {
      TensorUsageRecord record = records.get(i);
      Integer index = indices.get(record.name());
      if (index != null && expressed.get(index).bytes() != record.bytes()) {
        throw new MalformedFileException(
            file.toString(),
            String.format(
                Locale.ROOT, "tensor '%s'", MalformedFileException.excerpt(record.name())),
            String.format(
                Locale.ROOT,
                "has %d bytes at %s, expected %s = %d",
                record.bytes(),
                shape,
                problem.records().get(index).bytes(),
                expressed.get(index).bytes()));
      }
      if (index != null && isSameLifetime(record, expressed.get(index))) {
        offsets[i] = all.offset(index);
      } else {
        offsets[i] =
            Math.ceilDiv(end, ModelVerification.ALIGNMENT_BYTES)
                * ModelVerification.ALIGNMENT_BYTES;
        end = offsets[i] + record.bytes();
      }
    }
    return OffsetsAssignment.of(offsets, end);
  }

  /** {@return true if no view that has no common expression prolongs the record at this shape} */
  private static boolean isSameLifetime(TensorUsageRecord record, TensorUsageRecord expressed) {
    return record.firstTask() == expressed.firstTask() && record.lastTask() == expressed.lastTask();
  }
}
