package dev.stowage.plan.shapes;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.text.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A planning problem with sizes that depend on dimensions with ranges.
 *
 * <p>A plan of {@link #largest()} is valid for all shapes of the problem, or for all shapes that
 * were sampled.
 */
public final class RangedProblem {

  /** The sizes of the records. */
  private sealed interface Sizes {

    long[] at(DimensionValues shape);

    /** {@return for each record, a size that it does not exceed in a part of the ranges} */
    long[] largest(DimensionRanges part);
  }

  private final PlanProblem base;
  private final DimensionRanges ranges;
  private final List<DimensionValues> points;
  private final Sizes sizes;

  private RangedProblem(
      PlanProblem base, DimensionRanges ranges, List<DimensionValues> points, Sizes sizes) {
    this.base = base;
    this.ranges = ranges;
    this.points = List.copyOf(points);
    this.sizes = sizes;
  }

  /**
   * {@return a problem with expressions as sizes}
   *
   * <p>A record stays in place of another only if it has the same expression, or never more bytes.
   *
   * @param problem the records; their sizes have no effect. A record with a gap with a window has a
   *     constant expression
   * @param sizes the size of each record
   * @param ranges the values of all dimensions
   * @throws IllegalArgumentException if the numbers of sizes and of records differ, a dimension has
   *     no range, a record with a gap with a window depends on a dimension, a size is negative at a
   *     sampled shape, a divisor may be 0 or negative, or all records one after the other may need
   *     more than {@link Long#MAX_VALUE} bytes
   */
  public static RangedProblem of(
      PlanProblem problem, List<SizeExpression> sizes, DimensionRanges ranges) {
    List<TensorUsageRecord> records = problem.records();
    if (sizes.size() != records.size()) {
      throw Message.illegalArgument(
          "sizes and records must be equally many: sizes=%d, records=%d",
          sizes.size(), records.size());
    }
    List<DimensionValues> points = ShapePoints.of(ranges);
    Expressions expressions = new Expressions(List.copyOf(sizes));
    for (int i = 0; i < sizes.size(); i++) {
      check(records.get(i), i, sizes.get(i), ranges, points);
    }
    List<InPlace> pairs =
        problem.inPlace().stream().filter(pair -> isNeverLarger(pair, sizes, ranges)).toList();
    RangedProblem ranged =
        new RangedProblem(problem.withInPlace(pairs), ranges, points, expressions);
    ranged.largest();
    return ranged;
  }

  /**
   * {@return a problem with sizes that are known at some shapes}
   *
   * <p>A record stays in place of another only if it has no more bytes at each of the shapes.
   *
   * @param problem the records; their sizes have no effect
   * @param sizes the bytes of each record at some shapes of the ranges, at least at one
   * @param ranges the values of all dimensions
   * @throws IllegalArgumentException if all records one after the other need more than {@link
   *     Long#MAX_VALUE} bytes
   */
  public static RangedProblem sampled(
      PlanProblem problem, Map<DimensionValues, long[]> sizes, DimensionRanges ranges) {
    List<InPlace> pairs =
        problem.inPlace().stream()
            .filter(pair ->
                sizes.values().stream()
                    .allMatch(bytes -> bytes[pair.record()] <= bytes[pair.source()]))
            .toList();
    RangedProblem ranged =
        new RangedProblem(
            problem.withInPlace(pairs),
            ranges,
            ShapePoints.of(ranges).stream().filter(sizes::containsKey).toList(),
            new Samples(sizes));
    ranged.largest();
    return ranged;
  }

  /**
   * {@return the shapes to sample sizes at: up to 33 values of one dimension, or up to nine shapes
   * of several}
   *
   * @param ranges the values of the dimensions
   */
  public static List<DimensionValues> samplePoints(DimensionRanges ranges) {
    return ShapePoints.of(ranges);
  }

  private static void check(
      TensorUsageRecord record,
      int index,
      SizeExpression size,
      DimensionRanges ranges,
      List<DimensionValues> points) {
    String label = record.label(index);
    if (size.constant().isEmpty() && record.gaps().stream().anyMatch(it -> it.windowBytes() > 0)) {
      throw new IllegalArgumentException(
          label + ": a record with a window in a gap must have a size without dimensions");
    }
    try {
      size.largest(ranges);
      if (size.smallest(ranges) >= 0) {
        return;
      }
      for (DimensionValues point : points) {
        long bytes = size.evaluate(point);
        if (bytes < 0) {
          throw Message.illegalArgument(
              "the size of %s must not be negative: %s is %d at %s",
              label, MalformedFileException.excerpt(size.toString()), bytes, point);
        }
      }
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          Message.of(
              "the size of %s is '%s': %s",
              label, MalformedFileException.excerpt(size.toString()), e.getMessage()),
          e);
    }
  }

  private static boolean isNeverLarger(
      InPlace pair, List<SizeExpression> sizes, DimensionRanges ranges) {
    SizeExpression record = sizes.get(pair.record());
    SizeExpression source = sizes.get(pair.source());
    return record.equals(source) || record.largest(ranges) <= source.smallest(ranges);
  }

  /** {@return the values of all dimensions} */
  public DimensionRanges ranges() {
    return ranges;
  }

  /** {@return true if sizes are known only at {@link #points()}} */
  public boolean isSampled() {
    return sizes instanceof Samples;
  }

  /** {@return up to 33 shapes; if sizes were sampled, all shapes with known sizes} */
  public List<DimensionValues> points() {
    return points;
  }

  /** {@return up to nine of the points, for a comparison with the best plans of single shapes} */
  public List<DimensionValues> comparedPoints() {
    return ShapePoints.few(points);
  }

  /** {@return the problem with the largest size of each record} */
  public PlanProblem largest() {
    return largest(ranges);
  }

  /**
   * {@return the problem with the largest size of each record in a part of the shapes}
   *
   * @param part ranges of the same dimensions, within the problem's ranges
   */
  public PlanProblem largest(DimensionRanges part) {
    return withBytes(largestBytes(part));
  }

  /**
   * {@return the problem of one shape}
   *
   * @param shape a value of each dimension; one of the {@link #points()} if sizes were sampled
   * @throws IllegalArgumentException if a size is negative, or is not known
   */
  public PlanProblem at(DimensionValues shape) {
    return withBytes(sizes.at(shape));
  }

  long[] largestBytes(DimensionRanges part) {
    return sizes.largest(part);
  }

  PlanProblem withBytes(long[] bytes) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      records.add(base.records().get(i).withBytes(bytes[i]));
    }
    return new PlanProblem(records, base.alignment(), base.reuseGraph())
        .withInPlace(base.inPlace());
  }

  private record Expressions(List<SizeExpression> sizes) implements Sizes {

    @Override
    public long[] at(DimensionValues shape) {
      Map<SizeExpression, Long> known = new HashMap<>();
      return sizes.stream()
          .mapToLong(size -> known.computeIfAbsent(size, it -> it.evaluate(shape)))
          .toArray();
    }

    @Override
    public long[] largest(DimensionRanges part) {
      Map<SizeExpression, Long> known = new HashMap<>();
      return sizes.stream()
          .mapToLong(size -> known.computeIfAbsent(size, it -> Math.max(0, it.largest(part))))
          .toArray();
    }
  }

  private record Samples(Map<DimensionValues, long[]> sizes) implements Sizes {

    @Override
    public long[] at(DimensionValues shape) {
      long[] known = sizes.get(shape);
      if (known == null) {
        throw new IllegalArgumentException("the sizes are not known at " + shape);
      }
      return known.clone();
    }

    @Override
    public long[] largest(DimensionRanges part) {
      long[] largest = new long[sizes.values().iterator().next().length];
      sizes.forEach((shape, bytes) -> {
        if (part.contains(shape)) {
          for (int i = 0; i < largest.length; i++) {
            largest[i] = Math.max(largest[i], bytes[i]);
          }
        }
      });
      return largest;
    }
  }
}
