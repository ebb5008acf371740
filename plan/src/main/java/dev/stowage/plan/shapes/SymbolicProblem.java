package dev.stowage.plan.shapes;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.Alignment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A planning problem for all shapes of a range: records whose sizes are expressions of dimensions.
 */
public final class SymbolicProblem {

  /** The number of boxes of the search for the largest size of a record. */
  private static final int MAX_BOXES = 1_000;

  private final List<SymbolicRecord> records;
  private final DimensionRanges ranges;
  private final long alignment;
  private final RecordSizes sizes;

  /**
   * Creates a problem, and proves for all shapes that no size is negative and that planning cannot
   * overflow.
   *
   * @param records the tensors, in the order of layouts
   * @param ranges the values of all dimensions
   * @param alignment the alignment of all records in bytes; every offset is a multiple of it, and
   *     of the record's own alignment
   * @throws IllegalArgumentException if {@code alignment < 1}, a dimension of a size has no range,
   *     a size is negative for a shape or cannot be proved to be positive, or all records one after
   *     the other may need more than {@link Long#MAX_VALUE} bytes
   */
  public SymbolicProblem(List<SymbolicRecord> records, DimensionRanges ranges, long alignment) {
    this.records = withSharedSizes(records);
    this.ranges = ranges;
    this.alignment = alignment;
    if (alignment < 1) {
      throw new IllegalArgumentException("alignment must be positive: alignment=" + alignment);
    }
    ShapeProver prover = ShapeProver.of(ranges);
    ShapeBox box = ShapeBox.of(ranges);
    Map<SizeExpression, OptionalLong> largest = new HashMap<>();
    long end = 0;
    for (int i = 0; i < this.records.size(); i++) {
      SymbolicRecord record = this.records.get(i);
      OptionalLong known = largest.get(record.bytes());
      if (known == null) {
        checkSize(record.label(i), record.bytes(), ranges, prover);
        // Intermediate results of the evaluation must fit a long as well.
        known =
            box.isEvaluable(record.bytes().polynomial())
                ? OptionalLong.of(box.bounds(record.bytes().polynomial()).last())
                : OptionalLong.empty();
        largest.put(record.bytes(), known);
      }
      end = checkedEnd(record.label(i), record, known, alignment, end);
    }
    sizes = RecordSizes.of(this.records, ranges);
  }

  /** {@return the tensors, in the order of layouts} */
  public List<SymbolicRecord> records() {
    return records;
  }

  /** {@return the values of all dimensions} */
  public DimensionRanges ranges() {
    return ranges;
  }

  /**
   * {@return the alignment of all records in bytes; every offset is a multiple of it, and of the
   * record's own alignment}
   */
  public long alignment() {
    return alignment;
  }

  /**
   * {@return the size of each record for one shape, in bytes}
   *
   * @param values a value within the range of each dimension
   * @throws IllegalArgumentException if a dimension has no value or a value out of its range
   */
  public long[] bytesAt(DimensionValues values) {
    return sizes.at(values);
  }

  /**
   * {@return for each record, its size for each of some shapes}
   *
   * <p>Records with equal expressions share an array.
   *
   * @param shapes the shapes, each with a value within the range of each dimension
   * @throws IllegalArgumentException as for {@link #bytesAt(DimensionValues)}
   */
  public long[][] bytesAt(List<DimensionValues> shapes) {
    return sizes.at(shapes);
  }

  /**
   * {@return the problem of one shape}
   *
   * @param values a value within the range of each dimension
   * @throws IllegalArgumentException if a dimension has no value or a value out of its range
   */
  public PlanProblem at(DimensionValues values) {
    if (!ranges.contains(values)) {
      throw new IllegalArgumentException(
          "the shape is not within the ranges: shape " + values + ", ranges " + ranges);
    }
    return new PlanProblem(
        records.stream().map(record -> record.at(values)).toList(), alignment, Optional.empty());
  }

  /**
   * {@return the problem in which each record has its largest size among all shapes}
   *
   * <p>If the largest size is hard to find, the record has an upper bound instead. A plan of this
   * problem is valid for every shape.
   */
  public PlanProblem largest() {
    return largest(ranges, MAX_BOXES);
  }

  /**
   * {@return the problem in which each record has an upper bound of its sizes in a part of the
   * shapes, which is the largest size if the size only grows or only falls with each dimension}
   *
   * @param part ranges of the same dimensions, within those of the problem
   */
  public PlanProblem largestWithin(DimensionRanges part) {
    return largest(part, 1);
  }

  private PlanProblem largest(DimensionRanges part, int boxLimit) {
    ShapeBox box = ShapeBox.of(part);
    Map<SizeExpression, Long> sizes = new HashMap<>();
    return new PlanProblem(
        records.stream()
            .map(record ->
                record.withFixedBytes(
                    sizes.computeIfAbsent(
                        record.bytes(),
                        bytes ->
                            Math.max(0, TightBounds.largest(bytes.polynomial(), box, boxLimit)))))
            .toList(),
        alignment,
        Optional.empty());
  }

  /**
   * {@return this problem for other shapes}
   *
   * @param newRanges the values of all dimensions
   * @throws IllegalArgumentException as for the constructor
   */
  public SymbolicProblem withRanges(DimensionRanges newRanges) {
    return new SymbolicProblem(records, newRanges, alignment);
  }

  /**
   * {@return this problem with another alignment of all records}
   *
   * @param newAlignment any positive number of bytes
   * @throws IllegalArgumentException as for the constructor
   */
  public SymbolicProblem withAlignment(long newAlignment) {
    return new SymbolicProblem(records, ranges, newAlignment);
  }

  /**
   * {@return the least common multiple of a record's own alignment and that of all records}
   *
   * @param record one of the records
   */
  public long alignmentOf(SymbolicRecord record) {
    return Alignment.leastCommonMultiple(alignment, record.alignment());
  }

  /** {@return the records with one object for equal sizes, which is compared at once} */
  private static List<SymbolicRecord> withSharedSizes(List<SymbolicRecord> records) {
    Map<SizeExpression, SizeExpression> sizes = new HashMap<>();
    List<SymbolicRecord> shared = new ArrayList<>();
    for (SymbolicRecord record : records) {
      shared.add(record.withBytes(sizes.computeIfAbsent(record.bytes(), bytes -> bytes)));
    }
    return List.copyOf(shared);
  }

  private static void checkSize(
      String label, SizeExpression bytes, DimensionRanges ranges, ShapeProver prover) {
    for (String name : bytes.dimensions()) {
      if (ranges.range(name).isEmpty()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s has the size %s, but dimension '%s' has no range",
                label,
                bytes,
                name));
      }
    }
    switch (prover.proveNotNegative(bytes)) {
      case ShapeProof.Proved proved -> {}
      case ShapeProof.Refuted refuted ->
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "the size of %s must not be negative: %s at %s",
                  label,
                  refuted.reason(),
                  refuted.counterexample()));
      case ShapeProof.Undecided undecided ->
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "the size of %s must not be negative: %s; use smaller ranges",
                  label,
                  undecided.reason()));
    }
  }

  private static long checkedEnd(
      String label, SymbolicRecord record, OptionalLong largest, long alignment, long end) {
    if (largest.isPresent()) {
      try {
        long slack = Alignment.leastCommonMultiple(alignment, record.alignment()) - 1;
        return Math.addExact(Math.addExact(end, largest.getAsLong()), slack);
      } catch (ArithmeticException e) {
        // Reported below.
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "records up to %s may need more than 2^63 - 1 bytes: size %s, alignment=%d",
            label,
            record.bytes(),
            record.alignment()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SymbolicProblem that
        && records.equals(that.records)
        && ranges.equals(that.ranges)
        && alignment == that.alignment;
  }

  @Override
  public int hashCode() {
    return Objects.hash(records, ranges, alignment);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "SymbolicProblem[records=%s, ranges=%s, alignment=%d]",
        records,
        ranges,
        alignment);
  }
}
