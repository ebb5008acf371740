package dev.stowage.plan.search.offsets;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * A backtracking search for offsets of the records of a partition within a capacity.
 *
 * <p>From Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine
 * Learning" (ASPLOS 2023). The search places records by ascending offsets, each at its lowest free
 * offset. It does not place a record above space that would hold another unplaced record. When the
 * unplaced records fall apart into partitions, it searches each on its own. There are two
 * differences from MiniMalloc. Pinned records are obstacles from the start, which the proof of
 * completeness requires. {@link ReleasedBytes} bounds a section. This bound is stronger than the
 * sum of the unplaced bytes.
 */
final class PlacementSearch {

  /*
   * Proof that placing by ascending offsets is complete. Call the sum of bytes times offset the
   * potential. Of the solutions within the capacity with the least potential, take the one with the
   * lexicographically least list of offsets and ranks, ascending. None of its records can move down
   * while the others stay: that would lower the potential. So each record lies at the lowest offset
   * that the obstacles and the records at lower offsets leave to it. Placing the records by offset,
   * then by rank, yields this solution. The search omits three kinds of steps, and the solution has
   * none of them:
   *
   *   - a record at or above the lowest possible end of another unplaced record, which could move
   *     down;
   *   - a record before an equal one of lower rank: swapping the two leads to a smaller list;
   *   - a record directly on a record of its group (RecordGroups) with a higher rank: swapping the
   *     two keeps the potential and leads to a smaller list.
   *
   * Failed states. If the unplaced records of a frame are all free to lie at their lowest offsets,
   * the search below it does not depend on the records placed before, except through the lowest
   * offsets. By the proof above, applied to the unplaced records, its failure means that they have
   * no offsets at or above the lowest ones. This holds for any order of the records, so later runs
   * use it, too.
   */

  private final Partition partition;
  private final PartialPlacement placement;
  private final RecordGroups groups;
  private final FailedStates failed;
  private final long[] offsets;

  /** An explicit stack: recursion over thousands of records would overflow a thread's stack. */
  private final Deque<Frame> frames = new ArrayDeque<>();

  private long capacity;
  private long nodes;
  private long nodeLimit;

  /**
   * Creates a search of a partition.
   *
   * @param weights counts the failures of each section
   */
  PlacementSearch(Partition partition, SectionWeights weights) {
    this.partition = partition;
    placement = new PartialPlacement(partition, weights);
    groups = new RecordGroups(partition);
    failed = new FailedStates(partition.recordCount());
    offsets = new long[partition.recordCount()];
  }

  /**
   * {@return the outcome of a search for offsets within a capacity}
   *
   * @param byOrder all records; at equal offsets, the search tries the first one first
   * @param nodeLimit the most placements; then the search gives up
   * @param stop true to give up; called after a certain number of steps, also within a placement
   */
  CapacitySearch.Outcome search(
      long capacity, int[] byOrder, long nodeLimit, BooleanSupplier stop) {
    this.capacity = capacity;
    this.nodeLimit = nodeLimit;
    nodes = 0;
    groups.start(byOrder);
    if (placement.start(capacity, stop) && searchAll(byOrder)) {
      return CapacitySearch.Outcome.FOUND;
    }
    return placement.isStopped()
        ? CapacitySearch.Outcome.INCOMPLETE
        : CapacitySearch.Outcome.INFEASIBLE;
  }

  /** {@return the offsets found, by record of the partition; valid until the next search} */
  long[] offsets() {
    return offsets;
  }

  /** {@return the number of placements that the last search tried} */
  long nodes() {
    return nodes;
  }

  /** Runs the frames of the stack until it is empty and {@return true if offsets were found} */
  private boolean searchAll(int[] byOrder) {
    frames.clear();
    frames.push(
        new PartitionFrame(byOrder, byOrder.length, 0, partition.sectionCount() - 1, 0, -1));
    Step step = Step.DESCENDED;
    while (!frames.isEmpty()) {
      if (step == Step.DESCENDED) {
        step = frames.element().begin();
      } else {
        frames.remove();
        if (!frames.isEmpty()) {
          step = frames.element().resume(step == Step.FOUND);
        }
      }
    }
    return step == Step.FOUND;
  }

  /** The result of a step of a frame. */
  private enum Step {
    /** The frame pushed another frame and waits for its result. */
    DESCENDED,
    /** All unplaced records of the frame have offsets. */
    FOUND,
    /** There are no such offsets, or the search is stopped. */
    FAILED
  }

  /** A frame of the stack: a search of the sections from the first to the last one. */
  private abstract static class Frame {

    final int firstSection;
    final int lastSection;

    /** The offset of the record placed before: all others lie at or above it. */
    final long from;

    /** At offset {@link #from}, only records of higher rank are placed. */
    final int fromRank;

    Frame(int firstSection, int lastSection, long from, int fromRank) {
      this.firstSection = firstSection;
      this.lastSection = lastSection;
      this.from = from;
      this.fromRank = fromRank;
    }

    /** Runs until the frame has a result or pushes another frame. */
    abstract Step begin();

    /** Continues with the result of the frame that this one pushed. */
    abstract Step resume(boolean isFound);
  }

  /** Splits the sections where no unplaced record crosses, and searches each partition. */
  private final class PartitionFrame extends Frame {

    private final int[] unplaced;
    private final int count;
    private int next;

    PartitionFrame(
        int[] unplaced, int count, int firstSection, int lastSection, long from, int fromRank) {
      super(firstSection, lastSection, from, fromRank);
      this.unplaced = unplaced;
      this.count = count;
      next = firstSection;
    }

    @Override
    Step begin() {
      while (next <= lastSection) {
        int first = next;
        int last = first;
        while (last < lastSection && placement.isCrossed(last)) {
          last++;
        }
        next = last + 1;
        int[] within = new int[count];
        int size = 0;
        for (int k = 0; k < count; k++) {
          int record = unplaced[k];
          if (!placement.isPlaced(record)
              && partition.firstSection[record] >= first
              && partition.lastSection[record] <= last) {
            within[size++] = record;
          }
        }
        if (size > 0) {
          frames.push(new RecordFrame(within, size, first, last, from, fromRank));
          return Step.DESCENDED;
        }
        if (placement.countSteps(count)) {
          return Step.FAILED;
        }
      }
      return Step.FOUND;
    }

    @Override
    Step resume(boolean isFound) {
      return isFound && !placement.countSteps(count) ? begin() : Step.FAILED;
    }
  }

  /** Places one of some records at or above an offset, and then searches the others. */
  private final class RecordFrame extends Frame {

    private final int[] unplaced;
    private int count;

    /** True if each unplaced record may be placed at its lowest offset. */
    private boolean areAllFree = true;

    /** The hashes of the unplaced records and their lowest offsets, as in {@link FailedStates}. */
    private long state;

    private long stateSquares;

    /** The records to try next, by the offset that each one gets. */
    private int[] candidates = {};

    private int candidateCount;
    private int nextCandidate;

    /** The record placed last. */
    private int record;

    private long offset;
    private int changesBefore;

    /**
     * Creates a frame for the unplaced ones of some records.
     *
     * @param records by order; some may be placed
     */
    RecordFrame(
        int[] records, int count, int firstSection, int lastSection, long from, int fromRank) {
      super(firstSection, lastSection, from, fromRank);
      this.unplaced = new int[count];
      for (int k = 0; k < count; k++) {
        if (!placement.isPlaced(records[k])) {
          unplaced[this.count++] = records[k];
        }
      }
      placement.countSteps(4L * count);
    }

    @Override
    Step begin() {
      if (count == 0) {
        return Step.FOUND;
      }
      long end = survey();
      if (failed.contains(state, stateSquares)) {
        return Step.FAILED;
      }
      listCandidates(end);
      return tryCandidates();
    }

    /** Determines the state of the unplaced records and {@return their lowest possible end} */
    private long survey() {
      long end = Long.MAX_VALUE;
      state = FailedStates.emptyState(capacity);
      for (int k = 0; k < count; k++) {
        long lowest = placement.lowest(unplaced[k]);
        end = Math.min(end, lowest + partition.bytes[unplaced[k]]);
        areAllFree &= isFree(unplaced[k], lowest);
        long hash = FailedStates.hash(unplaced[k], lowest);
        state += hash;
        stateSquares += FailedStates.square(hash);
      }
      return end;
    }

    /** {@return true if the search may place a record at its lowest offset} */
    private boolean isFree(int record, long lowest) {
      return (lowest > from || (lowest == from && groups.rank(record) > fromRank))
          && !groups.isSwapped(record, lowest);
    }

    /** Lists the records that may be placed at a lowest offset below {@code end}. */
    private void listCandidates(long end) {
      candidates = new int[count];
      long moves = 0;
      for (int k = 0; k < count; k++) {
        int candidate = unplaced[k];
        long at = placement.lowest(candidate);
        if (at < end && isFree(candidate, at) && !isAfterTwin(candidate)) {
          int to = candidateCount++;
          for (; to > 0 && placement.lowest(candidates[to - 1]) > at; to--) {
            candidates[to] = candidates[to - 1];
          }
          candidates[to] = candidate;
          moves += candidateCount - to;
        }
      }
      placement.countSteps(moves);
    }

    private boolean isAfterTwin(int candidate) {
      int twin = groups.twin(candidate);
      return twin >= 0 && !placement.isPlaced(twin);
    }

    /** Places the next candidate that the capacity permits. */
    private Step tryCandidates() {
      while (nextCandidate < candidateCount) {
        if (placement.isStopped() || nodes >= nodeLimit) {
          placement.stop();
          return Step.FAILED;
        }
        nodes++;
        record = candidates[nextCandidate++];
        offset = placement.lowest(record);
        changesBefore = placement.changeCount();
        groups.place(record, offset);
        if (placement.place(record, firstSection, lastSection)) {
          frames.push(afterPlacing());
          return Step.DESCENDED;
        }
        groups.takeBack(record);
        placement.takeBack(record, changesBefore);
      }
      if (areAllFree && !placement.isStopped()) {
        failed.add(state, stateSquares);
      }
      return Step.FAILED;
    }

    /** {@return the search for the other records, by partition if they fall apart} */
    private Frame afterPlacing() {
      int rank = groups.rank(record);
      return placement.leaveSections(record)
          ? new PartitionFrame(unplaced, count, firstSection, lastSection, offset, rank)
          : new RecordFrame(unplaced, count, firstSection, lastSection, offset, rank);
    }

    @Override
    Step resume(boolean isFound) {
      placement.enterSections(record);
      groups.takeBack(record);
      placement.takeBack(record, changesBefore);
      if (isFound) {
        offsets[record] = offset;
        return Step.FOUND;
      }
      return tryCandidates();
    }
  }
}
