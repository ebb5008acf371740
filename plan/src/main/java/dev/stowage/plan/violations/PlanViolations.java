package dev.stowage.plan.violations;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.text.Message;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The violations of an offsets assignment: the number of each kind, and a list of the first ones.
 *
 * @param misalignedCount the number of offsets that are not multiples of their alignments
 * @param beyondCapacityCount the number of records that end beyond the capacity
 * @param overlapCount the number of pairs of records that need the same byte at the same task,
 *     without permission to be in place of each other there
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
   * O(log n) for each overlap of a record with gaps, plus O(1) for each pair that shares bytes if
   * the graph does not permit one of these pairs.
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
    List<TensorUsageRecord> live = problem.withoutUnusedGaps().records();
    PermittedOverlaps permitted = PermittedOverlaps.of(problem, assignment::offset);
    Listing overlaps = new Overlaps(PlacedRange.of(live, assignment), permitted, maxListed).find();
    Listing notPermitted = notPermitted(problem, assignment, maxListed);
    List<PlanViolation> listed = new ArrayList<>(misaligned.listed);
    listed.addAll(beyond.listed);
    listed.addAll(overlaps.listed);
    listed.addAll(notPermitted.listed);
    return new PlanViolations(
        misaligned.count, beyond.count, overlaps.count, notPermitted.count, listed);
  }

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
      list(violation);
    }

    /** Lists a violation without counting it, unless the list is full. */
    void list(PlanViolation violation) {
      if (!isFull()) {
        listed.add(violation);
      }
    }

    boolean isFull() {
      return listed.size() >= max;
    }
  }

  /** Finds the pairs that overlap. */
  private static final class Overlaps {

    /*
     * Two records without gaps overlap at most once, when the later one starts, so their overlaps
     * are counted without visiting each. Records with gaps have several ranges and may overlap
     * several times. Their overlaps are visited one by one, and only the first one of a pair
     * counts. A record may overlap the record that it is in place of, which both do only once.
     */

    private final List<PlacedRange> ranges;

    /** True for each range of a record that has several. */
    private final boolean[] isPartial;

    private final PermittedOverlaps permitted;

    /** For some ranges without gaps, the other ranges that they may overlap. */
    private final Map<Integer, List<Integer>> permittedRanges = new HashMap<>();

    private final LiveRangeTree live;
    private final LiveRangeCounts liveCounts;
    private final LiveRangeTree livePartial;
    private final LiveRangeCounts livePartialCounts;
    private final BitSet started = new BitSet();
    private final Listing found;

    Overlaps(List<PlacedRange> ranges, PermittedOverlaps permitted, int maxListed) {
      this.ranges = ranges;
      this.permitted = permitted;
      isPartial = new boolean[ranges.size()];
      for (int k = 1; k < isPartial.length; k++) {
        if (ranges.get(k).record() == ranges.get(k - 1).record()) {
          isPartial[k] = true;
          isPartial[k - 1] = true;
        }
      }
      live = new LiveRangeTree(ranges, isPartial.length);
      liveCounts = new LiveRangeCounts(ranges);
      List<PlacedRange> partial = ranges.stream().filter(r -> isPartial[r.index()]).toList();
      livePartial = new LiveRangeTree(partial, isPartial.length);
      livePartialCounts = new LiveRangeCounts(partial);
      found = new Listing(maxListed);
      addPermittedRanges();
    }

    private void addPermittedRanges() {
      List<InPlace> pairs = permitted.pairs();
      if (pairs.isEmpty()) {
        return;
      }
      Map<Integer, Integer> wholeRanges = new HashMap<>();
      ranges.stream()
          .filter(range -> !isPartial[range.index()])
          .forEach(range -> wholeRanges.put(range.record(), range.index()));
      for (InPlace pair : pairs) {
        Integer one = wholeRanges.get(pair.record());
        Integer other = wholeRanges.get(pair.source());
        if (one != null && other != null) {
          permittedRanges.computeIfAbsent(one, key -> new ArrayList<>(1)).add(other);
          permittedRanges.computeIfAbsent(other, key -> new ArrayList<>(1)).add(one);
        }
      }
    }

    Listing find() {
      OverlapSweep.sweep(ranges, this::start, this::end);
      return found;
    }

    private boolean start(PlacedRange range) {
      int overlapping = liveCounts.overlapping(range);
      if (overlapping > 0) {
        if (isPartial[range.index()]) {
          live.forEachOverlapping(range, other -> addIfFirst(other, range));
        } else {
          found.count += overlapping - livePartialCounts.overlapping(range) - permittedCount(range);
          livePartial.forEachOverlapping(range, other -> addIfFirst(other, range));
          listWhole(range);
        }
      }
      live.add(range);
      liveCounts.add(range);
      started.set(range.index());
      if (isPartial[range.index()]) {
        livePartial.add(range);
        livePartialCounts.add(range);
      }
      return true;
    }

    /** {@return the number of live ranges that a range without gaps may overlap, and does} */
    private long permittedCount(PlacedRange range) {
      return permittedRanges.getOrDefault(range.index(), List.of()).stream()
          .filter(started::get)
          .count();
    }

    private void listWhole(PlacedRange range) {
      if (!found.isFull()) {
        live.forEachOverlapping(
            range,
            other -> {
              if (!isPartial[other.index()]
                  && !permitted.contains(other.record(), range.record())) {
                found.list(PlanViolation.Overlap.of(other, range));
              }
              return !found.isFull();
            });
      }
    }

    private void end(PlacedRange range) {
      live.remove(range);
      liveCounts.remove(range);
      if (isPartial[range.index()]) {
        livePartial.remove(range);
        livePartialCounts.remove(range);
      }
    }

    private boolean addIfFirst(PlacedRange other, PlacedRange range) {
      if (!permitted.contains(other.record(), range.record())
          && !overlapBefore(range.firstTask(), other, range)) {
        found.add(PlanViolation.Overlap.of(other, range));
      }
      return true;
    }

    /** {@return true if the records of two ranges that overlap at a task also overlap before} */
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
