package dev.stowage.plan.violations;

import java.util.function.IntUnaryOperator;

/** A violation of a rule by an offsets assignment. */
public sealed interface PlanViolation {

  /**
   * {@return this violation with the indices of another problem}
   *
   * @param indices the index in the other problem of each record, in ascending order
   */
  PlanViolation withRecords(IntUnaryOperator indices);

  /**
   * An offset that is not a multiple of its alignment.
   *
   * @param record the record's index
   * @param offset the record's offset
   * @param alignment the required alignment in bytes
   */
  record Misaligned(int record, long offset, long alignment) implements PlanViolation {

    @Override
    public Misaligned withRecords(IntUnaryOperator indices) {
      return new Misaligned(indices.applyAsInt(record), offset, alignment);
    }
  }

  /**
   * A record that ends beyond the capacity.
   *
   * @param record the record's index
   * @param endByte the byte after the record
   * @param capacityBytes the capacity
   */
  record BeyondCapacity(int record, long endByte, long capacityBytes) implements PlanViolation {

    @Override
    public BeyondCapacity withRecords(IntUnaryOperator indices) {
      return new BeyondCapacity(indices.applyAsInt(record), endByte, capacityBytes);
    }
  }

  /**
   * Two records that share bytes without permission of the problem's graph: the graph allows an
   * order with both live at once.
   *
   * @param first the smaller index of the two
   * @param second the other index
   * @param startByte the first byte that they have in common, from the start of the arena
   * @param endByte the byte after the last one
   */
  record NotPermitted(int first, int second, long startByte, long endByte)
      implements PlanViolation {

    @Override
    public NotPermitted withRecords(IntUnaryOperator indices) {
      return new NotPermitted(
          indices.applyAsInt(first), indices.applyAsInt(second), startByte, endByte);
    }
  }

  /**
   * Two records that need the same bytes at the same tasks. Of several overlaps of records with
   * gaps, this is the first.
   *
   * @param first the smaller index of the two
   * @param second the other index
   * @param firstTask the first task of the overlap
   * @param lastTask the last task of the overlap, inclusive
   * @param startByte the first byte that they have in common, from the start of the arena
   * @param endByte the byte after the last one
   */
  record Overlap(int first, int second, long firstTask, long lastTask, long startByte, long endByte)
      implements PlanViolation {

    @Override
    public Overlap withRecords(IntUnaryOperator indices) {
      return new Overlap(
          indices.applyAsInt(first),
          indices.applyAsInt(second),
          firstTask,
          lastTask,
          startByte,
          endByte);
    }

    static Overlap of(PlacedRange a, PlacedRange b) {
      return new Overlap(
          Math.min(a.record(), b.record()),
          Math.max(a.record(), b.record()),
          Math.max(a.firstTask(), b.firstTask()),
          Math.min(a.lastTask(), b.lastTask()),
          Math.max(a.startByte(), b.startByte()),
          Math.min(a.endByte(), b.endByte()));
    }
  }
}
