package dev.stowage.onnx;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** Runs of a model at the sampled shapes of ranges, at the offsets of one plan. */
final class RangesVerification {

  private final Path file;
  private final OnnxOptions options;
  private final RangedOnnxProblem model;

  private RangesVerification(Path file, OnnxOptions options, RangedOnnxProblem model) {
    this.file = file;
    this.options = options;
    this.model = model;
  }

  /**
   * {@return the verification of a model at the sampled shapes of ranges}
   *
   * @param file the model
   * @param options the options; their dimensions have one size
   * @param ranges the ranges of other open dimensions
   * @throws MalformedFileException as {@link OnnxReader#readRanges(Path, OnnxOptions,
   *     DimensionRanges)}
   * @throws OpenDimensionsException if sizes depend on open dimensions without a size or a range
   * @throws IllegalArgumentException if a dimension has a size and a range
   * @throws IOException if the file cannot be read
   */
  public static RangesVerification load(Path file, OnnxOptions options, DimensionRanges ranges)
      throws IOException {
    return new RangesVerification(file, options, OnnxReader.readRanges(file, options, ranges));
  }

  /** {@return the problem to plan, with the alignment {@link ModelVerification#ALIGNMENT_BYTES}} */
  public RangedOnnxProblem model() {
    return model;
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
    return ModelVerification.load(file, RangedModel.at(options, shape), seed, stop, operatorsDone);
  }

  /**
   * {@return the plan of one shape: the offsets of the plan for the largest sizes}
   *
   * <p>If only a run shows the size of a tensor, the tensor is placed after the others, in memory
   * of its own.
   *
   * @param plan a plan of the problem of {@link #model()}
   * @param verification the verification of the model at this shape
   * @throws MalformedFileException if a tensor has more bytes than at all sampled shapes, for
   *     example because the file contains a wrong shape
   */
  public OffsetsAssignment plan(OffsetsAssignment plan, ModelVerification verification)
      throws MalformedFileException {
    List<TensorUsageRecord> largest = model.problem().largest().records();
    Map<String, Integer> indices = new HashMap<>();
    largest.forEach(record -> indices.put(record.name(), indices.size()));
    List<TensorUsageRecord> records = verification.problem().records();
    long[] offsets = new long[records.size()];
    long end = plan.totalBytes();
    for (int i = 0; i < offsets.length; i++) {
      TensorUsageRecord record = records.get(i);
      Integer index = indices.get(record.name());
      if (index != null && isWithin(record, largest.get(index))) {
        offsets[i] = plan.offset(index);
      } else {
        offsets[i] =
            Math.ceilDiv(end, ModelVerification.ALIGNMENT_BYTES)
                * ModelVerification.ALIGNMENT_BYTES;
        end = offsets[i] + record.bytes();
      }
    }
    return OffsetsAssignment.of(offsets, end);
  }

  /** {@return true if a record has a planned lifetime, which a view of a run may prolong} */
  private boolean isWithin(TensorUsageRecord record, TensorUsageRecord planned)
      throws MalformedFileException {
    if (record.bytes() > planned.bytes()) {
      throw new MalformedFileException(
          file.toString(),
          String.format(Locale.ROOT, "tensor '%s'", MalformedFileException.excerpt(record.name())),
          String.format(
              Locale.ROOT,
              "has %d bytes, expected at most %d, the largest size that ONNX Runtime infers",
              record.bytes(),
              planned.bytes()));
    }
    return record.firstTask() >= planned.firstTask() && record.lastTask() <= planned.lastTask();
  }
}
