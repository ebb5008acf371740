package dev.stowage.core.plan.check;

/** One thing that is wrong with an offsets assignment. */
public sealed interface PlanViolation {

  /**
   * An offset that is not a multiple of its alignment.
   *
   * @param record the record's index
   * @param offset the record's offset
   * @param alignment the bytes that the offset should be a multiple of
   */
  record Misaligned(int record, long offset, long alignment) implements PlanViolation {}

  /**
   * A record that ends behind the capacity.
   *
   * @param record the record's index
   * @param endByte the byte behind the record
   * @param capacityBytes the capacity
   */
  record BeyondCapacity(int record, long endByte, long capacityBytes) implements PlanViolation {}

  /**
   * Two records that share bytes, although the graph of the problem does not permit it: there is an
   * order of execution in which both are live.
   *
   * @param first the smaller index of the two
   * @param second the other index
   * @param startByte the first byte that they have in common, from the start of the arena
   * @param endByte the byte behind the last one
   */
  record NotPermitted(int first, int second, long startByte, long endByte)
      implements PlanViolation {}

  /**
   * Two records that need the same bytes at the same tasks. Records with gaps may do so more than
   * once; this is the first time.
   *
   * @param first the smaller index of the two
   * @param second the other index
   * @param firstTask the first task that they have in common
   * @param lastTask the last one from there on, inclusive
   * @param startByte the first byte that they have in common, from the start of the arena
   * @param endByte the byte behind the last one
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
