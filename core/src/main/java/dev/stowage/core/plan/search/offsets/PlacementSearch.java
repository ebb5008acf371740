package dev.stowage.core.plan.search.offsets;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * Looks for offsets of the records of a part within a capacity, by placing one record after the
 * other and going back where that fails.
 *
 * <p>From Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine
 * Learning" (ASPLOS 2023): records are placed by ascending offsets, each at the lowest offset left
 * to it; a record that could lie wholly below the next one is not passed over; what falls apart
 * into parts is searched part by part. Other than there, pinned records are obstacles that are
 * known from the start, so that nothing is lost of what the argument needs, and a section is held
 * against the capacity as one machine with release dates, which sees more than the sum of what is
 * missing.
 */
final class PlacementSearch {

  /*
   * Why placing by ascending offsets loses no solution. Of the solutions within the capacity take
   * one with the least sum of offsets. No record of it can be moved to a lower place, as long as
   * others stay. So each lies at the lowest offset that those at lower offsets, and the obstacles,
   * leave to it: what lies above it is not in the way of anything that ends below. Placing its
   * records by offset, then by order, makes it step by step. A step at or above the end of what
   * another record could take below it is none of its steps.
   */

  private final Partition part;
  private final PartialPlacement placement;
  private final int[] rank;
  private final long[] offsets;

  /** The records placed so far, as objects: a call for each does not fit on a thread's stack. */
  private final Deque<Frame> frames = new ArrayDeque<>();

  private long nodes;
  private long nodeLimit;

  /**
   * A search.
   *
   * @param weights counts the failures of each section
   */
  PlacementSearch(Partition part, SectionWeights weights) {
    this.part = part;
    placement = new PartialPlacement(part, weights);
    offsets = new long[part.recordCount()];
    rank = new int[part.recordCount()];
  }

  /**
   * {@return the outcome of a search for offsets within a capacity}
   *
   * @param byOrder all records; of equal offsets, the first one is tried first
   * @param nodeLimit the number of placements after which the search gives up
   * @param stop true to give up; asked after a certain number of steps, within a placement, too
   */
  CapacitySearch.Outcome search(
      long capacity, int[] byOrder, long nodeLimit, BooleanSupplier stop) {
    this.nodeLimit = nodeLimit;
    nodes = 0;
    for (int k = 0; k < byOrder.length; k++) {
      rank[byOrder[k]] = k;
    }
    if (placement.start(capacity, stop) && searchAll(byOrder)) {
      return CapacitySearch.Outcome.FOUND;
    }
    return placement.isCut() ? CapacitySearch.Outcome.CUT : CapacitySearch.Outcome.INFEASIBLE;
  }

  /** {@return the offsets found, by record of the part; valid until the next search} */
  long[] offsets() {
    return offsets;
  }

  /** {@return how many placements the last search tried} */
  long nodes() {
    return nodes;
  }

  private boolean searchAll(int[] byOrder) {
    frames.clear();
    frames.push(new Parts(byOrder, byOrder.length, 0, part.sectionCount() - 1));
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

  /** The state in which a frame leaves the search. */
  private enum Step {
    /** The frame pushed another one, and waits for its answer. */
    DESCENDED,
    /** There are offsets for all unplaced records of the frame. */
    FOUND,
    /** There are none, or the search is cut. */
    FAILED
  }

  /** A part of the search that waits for the one above it on the stack. */
  private abstract static class Frame {

    final int firstSection;
    final int lastSection;

    Frame(int firstSection, int lastSection) {
      this.firstSection = firstSection;
      this.lastSection = lastSection;
    }

    abstract Step begin();

    /** Goes on with the answer of the frame that this one pushed. */
    abstract Step resume(boolean isFound);
  }

  /** The unplaced records between two sections, cut where no unplaced record crosses. */
  private final class Parts extends Frame {

    private final int[] unplaced;
    private final int count;
    private int next;

    Parts(int[] unplaced, int count, int firstSection, int lastSection) {
      super(firstSection, lastSection);
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
              && part.firstSection[record] >= first
              && part.lastSection[record] <= last) {
            within[size++] = record;
          }
        }
        if (size > 0) {
          frames.push(new Below(within, size, first, last, 0, -1));
          return Step.DESCENDED;
        }
        if (placement.isStopped(count)) {
          return Step.FAILED;
        }
      }
      return Step.FOUND;
    }

    @Override
    Step resume(boolean isFound) {
      return isFound && !placement.isStopped(count) ? begin() : Step.FAILED;
    }
  }

  /** Some records, the next of which is placed at or above an offset. */
  private final class Below extends Frame {

    private final int[] unplaced;
    private int count;
    private final long from;
    private final int fromRank;

    /** The records to try next, by the offset that each one gets. */
    private int[] candidates = {};

    private int candidateCount;
    private int nextCandidate;

    /** The record placed last, and the number of changes before. */
    private int record;

    private long offset;
    private int changesBefore;

    /**
     * Some records.
     *
     * @param records by order; some may be placed
     * @param from no record is placed below, nor at it if its rank is below {@code fromRank}
     */
    Below(int[] records, int count, int firstSection, int lastSection, long from, int fromRank) {
      super(firstSection, lastSection);
      this.unplaced = new int[count];
      for (int k = 0; k < count; k++) {
        if (!placement.isPlaced(records[k])) {
          unplaced[this.count++] = records[k];
        }
      }
      this.from = from;
      this.fromRank = fromRank;
      placement.isStopped(2L * count);
    }

    @Override
    Step begin() {
      if (count == 0) {
        return Step.FOUND;
      }
      listCandidates();
      return tryCandidates();
    }

    /** A record that begins at or above the end of another one is not the next one. */
    private void listCandidates() {
      long end = Long.MAX_VALUE;
      for (int k = 0; k < count; k++) {
        end = Math.min(end, placement.lowest(unplaced[k]) + part.bytes[unplaced[k]]);
      }
      candidates = new int[count];
      long moves = 0;
      for (int k = 0; k < count; k++) {
        int candidate = unplaced[k];
        long at = placement.lowest(candidate);
        if (at < end && (at > from || (at == from && rank[candidate] > fromRank))) {
          int to = candidateCount++;
          for (; to > 0 && placement.lowest(candidates[to - 1]) > at; to--) {
            candidates[to] = candidates[to - 1];
          }
          candidates[to] = candidate;
          moves += candidateCount - to;
        }
      }
      placement.isStopped(moves);
    }

    private Step tryCandidates() {
      while (nextCandidate < candidateCount) {
        if (placement.isCut() || nodes >= nodeLimit) {
          placement.cut();
          return Step.FAILED;
        }
        nodes++;
        record = candidates[nextCandidate++];
        offset = placement.lowest(record);
        changesBefore = placement.changeCount();
        if (placement.place(record, firstSection, lastSection)) {
          frames.push(afterPlacing());
          return Step.DESCENDED;
        }
        placement.takeBack(record, changesBefore);
      }
      return Step.FAILED;
    }

    /** {@return the search for the other records, part by part if they fall apart} */
    private Frame afterPlacing() {
      return placement.leaveSections(record)
          ? new Parts(unplaced, count, firstSection, lastSection)
          : new Below(unplaced, count, firstSection, lastSection, offset, rank[record]);
    }

    @Override
    Step resume(boolean isFound) {
      placement.enterSections(record);
      placement.takeBack(record, changesBefore);
      if (isFound) {
        offsets[record] = offset;
        return Step.FOUND;
      }
      return tryCandidates();
    }
  }
}
