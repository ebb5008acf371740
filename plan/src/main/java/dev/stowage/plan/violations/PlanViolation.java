package dev.stowage.plan.violations;

/** A violation of a rule by an offsets assignment. */
public sealed interface PlanViolation {

  /**
   * An offset that is not a multiple of its alignment.
   *
   * @param record the record's index
   * @param offset the record's offset
   * @param alignment the required alignment in bytes
   */
  record Misaligned(int record, long offset, long alignment) implements PlanViolation {}

  /**
   * A record that ends beyond the capacity.
   *
   * @param record the record's index
   * @param endByte the byte after the record
   * @param capacityBytes the capacity
   */
  record BeyondCapacity(int record, long endByte, long capacityBytes) implements PlanViolation {}

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
      implements PlanViolation {}

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
