package dev.stowage.plan.violations;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.text.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The violations of an offsets assignment: the number of each kind, and a list of the first ones.
 *
 * @param misalignedCount the number of offsets that are not multiples of their alignments
 * @param beyondCapacityCount the number of records that end beyond the capacity
 * @param overlapCount the number of pairs of records that need the same byte at the same task,
 *     without permission to be in place of each other there; the count stops at {@link
 *     #MAX_OVERLAPS}
 * @param notPermittedCount the number of other pairs of records that share a byte without
 *     permission of the problem's graph
 * @param listed the first violations of each kind, in the order of the kinds above. Records are in
 *     the problem's order. Overlapping pairs are sorted by their first common task, then by the
 *     record that starts at this task, then by descending offset of the other record. Pairs that
 *     are not permitted are ordered by the lower offset, then by the other one
 */
public record PlanViolations(
    long misalignedCount,
    long beyondCapacityCount,
    long overlapCount,
    long notPermittedCount,
    List<PlanViolation> listed) {

  /** The number of overlaps that ends their count. */
  public static final long MAX_OVERLAPS = 10_000_000;

  /** Creates a result with a copy of the list. */
  public PlanViolations {
    listed = List.copyOf(listed);
  }

  /** {@return true if the plan is valid} */
  public boolean isEmpty() {
    return count() == 0;
  }

  /** {@return the number of violations, listed or not} */
  public long count() {
    return misalignedCount + beyondCapacityCount + overlapCount + notPermittedCount;
  }

  /**
   * {@return the violations of a plan}
   *
   * <p>In contrast to {@link AssignmentChecker}, pinned offsets are not checked, and two pinned
   * records must not overlap. With a graph, gaps are ignored. Costs O(n log n) for n records, plus
   * O(log n) for each overlap, plus O(1) for each pair that shares bytes if the graph does not
   * permit one of these pairs.
   *
   * @param problem the records
   * @param assignment the plan
   * @param capacityBytes the maximum size of the arena; empty if there is no limit
   * @param maxListed the maximum number of listed violations of each kind
   * @throws IllegalArgumentException if there is not one offset for each record, an offset is
   *     negative, or a record ends beyond {@link Long#MAX_VALUE}
   */
  public static PlanViolations of(
      PlanProblem problem,
      OffsetsAssignment assignment,
      OptionalLong capacityBytes,
      int maxListed) {
    List<TensorUsageRecord> records = problem.records();
    checkOffsets(records, assignment);
    Listing misaligned = new Listing(maxListed);
    Listing beyond = new Listing(maxListed);
    for (int i = 0; i < records.size(); i++) {
      long offset = assignment.offset(i);
      long alignment = problem.alignmentOf(records.get(i));
      if (offset % alignment != 0) {
        misaligned.add(new PlanViolation.Misaligned(i, offset, alignment));
      }
      long end = offset + records.get(i).bytes();
      if (end > capacityBytes.orElse(Long.MAX_VALUE)) {
        beyond.add(new PlanViolation.BeyondCapacity(i, end, capacityBytes.getAsLong()));
      }
    }
    Listing overlaps = overlaps(problem, assignment, maxListed);
    Listing notPermitted = notPermitted(problem, assignment, maxListed);
    List<PlanViolation> listed = new ArrayList<>(misaligned.listed);
    listed.addAll(beyond.listed);
    listed.addAll(overlaps.listed);
    listed.addAll(notPermitted.listed);
    return new PlanViolations(
        misaligned.count, beyond.count, overlaps.count, notPermitted.count, listed);
  }

  /**
   * {@return the pairs that overlap}
   *
   * <p>A pair of records with gaps may overlap several times; only the first time counts.
   */
  private static Listing overlaps(
      PlanProblem problem, OffsetsAssignment assignment, int maxListed) {
    List<PlacedRange> ranges = PlacedRange.of(problem.withoutUnusedGaps().records(), assignment);
    PermittedOverlaps permitted = PermittedOverlaps.of(problem, assignment::offset);
    Listing found = new Listing(maxListed);
    OverlapSweep.sweep(
        ranges,
        (live, range) -> {
          if (!permitted.contains(live.record(), range.record())
              && !overlapBefore(range.firstTask(), live, range, ranges)) {
            found.add(PlanViolation.Overlap.of(live, range));
          }
          return found.count < MAX_OVERLAPS;
        });
    return found;
  }

  /** {@return true if the records of two ranges that overlap at a task also overlap before} */
  private static boolean overlapBefore(
      long task, PlacedRange one, PlacedRange other, List<PlacedRange> ranges) {
    PlacedRange a = firstOfRecord(one, ranges);
    PlacedRange b = firstOfRecord(other, ranges);
    while (Math.max(a.firstTask(), b.firstTask()) < task) {
      if (a.overlaps(b)) {
        return true;
      }
      if (a.lastTask() < b.lastTask()) {
        a = ranges.get(a.index() + 1);
      } else {
        b = ranges.get(b.index() + 1);
      }
    }
    return false;
  }

  private static PlacedRange firstOfRecord(PlacedRange range, List<PlacedRange> ranges) {
    int index = range.index();
    while (index > 0 && ranges.get(index - 1).record() == range.record()) {
      index--;
    }
    return ranges.get(index);
  }

  /** {@return the pairs that share bytes, and neither overlap nor have the graph's permission} */
  private static Listing notPermitted(
      PlanProblem problem, OffsetsAssignment assignment, int maxListed) {
    Listing found = new Listing(maxListed);
    if (SharingCheck.ofPlan(problem, assignment).isEmpty()) {
      return found;
    }
    List<TensorUsageRecord> records = problem.records();
    ReuseGraph graph = problem.reuseGraph().orElseThrow();
    int[] byOffset = IndexOrder.ascending(records.size(), assignment::offset);
    for (int k = 0; k < byOffset.length; k++) {
      int lower = byOffset[k];
      long end = assignment.offset(lower) + records.get(lower).bytes();
      for (int l = k + 1; l < byOffset.length && assignment.offset(byOffset[l]) < end; l++) {
        int other = byOffset[l];
        long start = assignment.offset(other);
        long otherEnd = start + records.get(other).bytes();
        if (start < otherEnd
            && !graph.mayShare(lower, other)
            && !haveCommonTask(records.get(lower), records.get(other))) {
          found.add(
              new PlanViolation.NotPermitted(
                  Math.min(lower, other), Math.max(lower, other), start, Math.min(end, otherEnd)));
        }
      }
    }
    return found;
  }

  /** {@return true if two records are live at the same task, which counts as an overlap} */
  private static boolean haveCommonTask(TensorUsageRecord a, TensorUsageRecord b) {
    return a.firstTask() <= b.lastTask() && b.firstTask() <= a.lastTask();
  }

  private static void checkOffsets(List<TensorUsageRecord> records, OffsetsAssignment assignment) {
    if (assignment.recordCount() != records.size()) {
      throw Message.illegalArgument(
          "an assignment must have one offset for each record: offsets=%d, records=%d",
          assignment.recordCount(), records.size());
    }
    for (int i = 0; i < records.size(); i++) {
      long offset = assignment.offset(i);
      if (offset < 0 || records.get(i).bytes() > Long.MAX_VALUE - offset) {
        throw Message.illegalArgument(
            "record %d must start at 0 or above and end at 2^63 - 1 or below: offset=%d, bytes=%d",
            i, offset, records.get(i).bytes());
      }
    }
  }

  /** The violations of one kind. */
  private static final class Listing {

    private final List<PlanViolation> listed = new ArrayList<>();
    private final int max;
    private long count;

    Listing(int max) {
      this.max = max;
    }

    void add(PlanViolation violation) {
      count++;
      if (listed.size() < max) {
        listed.add(violation);
      }
    }
  }
}
