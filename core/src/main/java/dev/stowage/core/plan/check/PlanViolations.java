package dev.stowage.core.plan.check;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReallocationGraph;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.IndexOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Everything that is wrong with an offsets assignment: all of it counted, some of it listed.
 *
 * @param misalignedCount how many offsets are not multiples of their alignments
 * @param beyondCapacityCount how many records end behind the capacity
 * @param overlapCount how many pairs of records need one byte at one task
 * @param notPermittedCount how many other pairs of records share a byte without the permission of
 *     the problem's graph
 * @param listed violations of each kind, in that order: the first ones up to the limit; records in
 *     the problem's order, pairs in the order of the first task that they have in common, then of
 *     the record that starts there, then of the other one's address, the highest first; pairs that
 *     the graph does not permit by the offset of the lower record, then of the other one
 */
public record PlanViolations(
    long misalignedCount,
    long beyondCapacityCount,
    long overlapCount,
    long notPermittedCount,
    List<PlanViolation> listed) {

  /** Violations. */
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
   * <p>Two records that overlap are a violation even if both are pinned, unlike for {@link
   * AssignmentChecker}; pins are not looked at. With a graph, gaps do not count. O(n log n) for n
   * records, plus O(log n) for each overlap of a record that has gaps; and the number of pairs that
   * share bytes, if the graph does not permit one of them.
   *
   * @param problem the records
   * @param assignment the plan
   * @param capacityBytes the bytes that the plan must fit into, if there is such a limit
   * @param mostListed how many violations of each kind are listed at most
   * @throws IllegalArgumentException if there is not one offset for each record, an offset is
   *     negative, or a record ends behind {@link Long#MAX_VALUE}
   */
  public static PlanViolations of(
      PlanProblem problem,
      OffsetsAssignment assignment,
      OptionalLong capacityBytes,
      int mostListed) {
    List<TensorUsageRecord> records = problem.records();
    checkOffsets(records, assignment);
    Listing misaligned = new Listing(mostListed);
    Listing beyond = new Listing(mostListed);
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
    List<TensorUsageRecord> live = problem.withoutUnusedGaps().records();
    Listing overlaps = new Overlaps(PlacedRange.of(live, assignment), mostListed).find();
    Listing notPermitted = notPermitted(problem, assignment, mostListed);
    List<PlanViolation> listed = new ArrayList<>(misaligned.listed);
    listed.addAll(beyond.listed);
    listed.addAll(overlaps.listed);
    listed.addAll(notPermitted.listed);
    return new PlanViolations(
        misaligned.count, beyond.count, overlaps.count, notPermitted.count, listed);
  }

  private static Listing notPermitted(
      PlanProblem problem, OffsetsAssignment assignment, int mostListed) {
    Listing found = new Listing(mostListed);
    if (SharingCheck.ofPlan(problem, assignment).isEmpty()) {
      return found;
    }
    List<TensorUsageRecord> records = problem.records();
    ReallocationGraph graph = problem.reuseGraph().orElseThrow().reallocationGraph();
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

  /** {@return true if two records are live at one task, so that they overlap, another kind} */
  private static boolean haveCommonTask(TensorUsageRecord a, TensorUsageRecord b) {
    return a.firstTask() <= b.lastTask() && b.firstTask() <= a.lastTask();
  }

  private static void checkOffsets(List<TensorUsageRecord> records, OffsetsAssignment assignment) {
    if (assignment.recordCount() != records.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "an assignment has %d offsets for %d records",
              assignment.recordCount(),
              records.size()));
    }
    for (int i = 0; i < records.size(); i++) {
      long offset = assignment.offset(i);
      if (offset < 0 || records.get(i).bytes() > Long.MAX_VALUE - offset) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "record %d starts below 0 or ends behind 2^63 - 1: offset=%d, bytes=%d",
                i,
                offset,
                records.get(i).bytes()));
      }
    }
  }

  /** Violations of one kind. */
  private static final class Listing {

    private final List<PlanViolation> listed = new ArrayList<>();
    private final int most;
    private long count;

    Listing(int most) {
      this.most = most;
    }

    void add(PlanViolation violation) {
      count++;
      list(violation);
    }

    void list(PlanViolation violation) {
      if (!isFull()) {
        listed.add(violation);
      }
    }

    boolean isFull() {
      return listed.size() >= most;
    }
  }

  /** Finds the pairs that overlap. */
  private static final class Overlaps {

    /*
     * Two records without gaps overlap at most once, when the later one starts, and how many ranges
     * overlap is known without a look at each. Records with gaps have several ranges and may overlap
     * again and again: they are looked at one by one, and count when they first overlap.
     */

    private final List<PlacedRange> ranges;
    private final boolean[] isCut;
    private final LivePlaces live;
    private final LivePlaces cut;
    private final Listing found;

    Overlaps(List<PlacedRange> ranges, int mostListed) {
      this.ranges = ranges;
      isCut = new boolean[ranges.size()];
      for (int k = 1; k < isCut.length; k++) {
        if (ranges.get(k).record() == ranges.get(k - 1).record()) {
          isCut[k] = true;
          isCut[k - 1] = true;
        }
      }
      live = new LivePlaces(ranges, isCut.length);
      cut = new LivePlaces(ranges.stream().filter(r -> isCut[r.index()]).toList(), isCut.length);
      found = new Listing(mostListed);
    }

    Listing find() {
      OverlapSweep.walk(ranges, this::start, this::end);
      return found;
    }

    private boolean start(PlacedRange range) {
      int overlapping = live.countOverlapping(range);
      if (overlapping > 0) {
        if (isCut[range.index()]) {
          live.forEachOverlapping(range, other -> addIfFirst(other, range));
        } else {
          found.count += overlapping - cut.countOverlapping(range);
          cut.forEachOverlapping(range, other -> addIfFirst(other, range));
          listUncut(range);
        }
      }
      live.add(range);
      if (isCut[range.index()]) {
        cut.add(range);
      }
      return true;
    }

    private void listUncut(PlacedRange range) {
      if (!found.isFull()) {
        live.forEachOverlapping(
            range,
            other -> {
              if (!isCut[other.index()]) {
                found.list(PlanViolation.Overlap.of(other, range));
              }
              return !found.isFull();
            });
      }
    }

    private void end(PlacedRange range) {
      live.remove(range);
      if (isCut[range.index()]) {
        cut.remove(range);
      }
    }

    private boolean addIfFirst(PlacedRange other, PlacedRange range) {
      if (!overlapBefore(range.firstTask(), other, range)) {
        found.add(PlanViolation.Overlap.of(other, range));
      }
      return true;
    }

    /** {@return true if two records overlap before a task, at which two ranges of theirs do} */
    private boolean overlapBefore(long task, PlacedRange one, PlacedRange other) {
      PlacedRange a = ranges.get(firstOfRecord(one));
      PlacedRange b = ranges.get(firstOfRecord(other));
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

    private int firstOfRecord(PlacedRange range) {
      int index = range.index();
      while (index > 0 && ranges.get(index - 1).record() == range.record()) {
        index--;
      }
      return index;
    }
  }
}
