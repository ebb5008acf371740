package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.base.Alignment;
import dev.stowage.core.plan.base.StepCounter;
import java.util.Arrays;
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
   *
   * S1  lowest[x] of an unplaced record is the lowest offset that placed records and obstacles leave
   *     to it, when it has to lie above the placed ones that it conflicts with;
   * S2  unplacedBytes[s] is the sum of the padded bytes of the unplaced records of section s;
   * S3  crossing[s] is the number of unplaced records that are live at sections s and s + 1, or
   *     before and after.
   */

  private final Partition part;
  private final SectionWeights weights;
  private final long[] mostPadding;

  private final long[] lowest;
  private final boolean[] placed;
  private final long[] unplacedBytes;
  private final int[] crossing;
  private final int[] rank;
  private final long[] offsets;

  /** What {@link #lowest} was before, to go back. */
  private int[] changedRecords = new int[16];

  private long[] changedOffsets = new long[16];
  private int changeCount;

  private final int[] touchedAt;
  private int touch;

  private final ReleasedBytes released;

  private long capacity;
  private long nodes;
  private long nodeLimit;
  private StepCounter steps = new StepCounter(() -> false);
  private boolean cut;

  /**
   * A search.
   *
   * @param weights is told of the sections at which placing fails
   */
  PlacementSearch(Partition part, SectionWeights weights) {
    this.part = part;
    this.weights = weights;
    int count = part.recordCount();
    lowest = new long[count];
    placed = new boolean[count];
    offsets = new long[count];
    rank = new int[count];
    unplacedBytes = new long[part.sectionCount()];
    crossing = new int[part.sectionCount()];
    touchedAt = new int[part.sectionCount()];
    mostPadding = new long[part.sectionCount()];
    int mostMembers = 0;
    for (int section = 0; section < mostPadding.length; section++) {
      mostMembers = Math.max(mostMembers, part.members[section].length);
      for (int member : part.members[section]) {
        mostPadding[section] =
            Math.max(mostPadding[section], part.paddedBytes(member) - part.bytes[member]);
      }
    }
    released = new ReleasedBytes(mostMembers);
  }

  /**
   * {@return whether there is room}
   *
   * @param byOrder all records; of equal offsets, the first one is tried first
   * @param nodeLimit after how many placements to give up
   * @param stop whether to give up; asked for every so many steps, within a placement, too
   */
  CapacitySearch.Outcome search(
      long capacity, int[] byOrder, long nodeLimit, BooleanSupplier stop) {
    this.capacity = capacity;
    this.nodeLimit = nodeLimit;
    steps = new StepCounter(stop);
    nodes = 0;
    cut = false;
    if (!start(byOrder)) {
      return cut ? CapacitySearch.Outcome.CUT : CapacitySearch.Outcome.INFEASIBLE;
    }
    boolean found = searchParts(byOrder, byOrder.length, 0, part.sectionCount() - 1);
    return found
        ? CapacitySearch.Outcome.FOUND
        : cut ? CapacitySearch.Outcome.CUT : CapacitySearch.Outcome.INFEASIBLE;
  }

  /** {@return the offsets found, by record of the part; valid until the next search} */
  long[] offsets() {
    return offsets;
  }

  /** {@return how many placements the last search tried} */
  long nodes() {
    return nodes;
  }

  private boolean start(int[] byOrder) {
    changeCount = 0;
    Arrays.fill(placed, false);
    Arrays.fill(unplacedBytes, 0);
    Arrays.fill(crossing, 0);
    boolean fits = true;
    for (int k = 0; k < byOrder.length; k++) {
      int record = byOrder[k];
      rank[record] = k;
      lowest[record] = free(record, 0);
      fits &= lowest[record] <= capacity - part.bytes[record];
      addUnplaced(record, part.paddedBytes(record));
      for (int s = part.firstSection[record]; s < part.lastSection[record]; s++) {
        crossing[s]++;
      }
      if (isStopped(4L * (part.lastSection[record] - part.firstSection[record] + 4))) {
        return false;
      }
    }
    for (int s = 0; fits && s < part.sectionCount(); s++) {
      fits = !isOverfull(s, 0) && !cut;
    }
    return fits;
  }

  /** Counts some work and {@return true if it is too much} */
  private boolean isStopped(long count) {
    cut |= steps.isStopped(count);
    return cut;
  }

  /** {@return the lowest offset from {@code from} on at which no obstacle is in the way} */
  private long free(int record, long from) {
    long offset = Alignment.up(from, part.alignment[record]);
    long[] obstacles = part.obstacles[record];
    if (obstacles.length == 0) {
      return offset;
    }
    int first = firstEndingAfter(obstacles, offset);
    int k = first;
    for (; k < obstacles.length && obstacles[k] < offset + part.bytes[record]; k += 2) {
      offset = Math.max(offset, Alignment.up(obstacles[k + 1], part.alignment[record]));
    }
    isStopped(8L + k - first);
    return offset;
  }

  private static int firstEndingAfter(long[] ranges, long offset) {
    int low = 0;
    int high = ranges.length / 2;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges[2 * middle + 1] <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return 2 * low;
  }

  /** Searches what is unplaced between two sections, cut where no unplaced record crosses. */
  private boolean searchParts(int[] unplaced, int count, int firstSection, int lastSection) {
    int first = firstSection;
    while (first <= lastSection) {
      int last = first;
      while (last < lastSection && crossing[last] > 0) {
        last++;
      }
      int[] within = new int[count];
      int size = 0;
      for (int k = 0; k < count; k++) {
        int record = unplaced[k];
        if (!placed[record]
            && part.firstSection[record] >= first
            && part.lastSection[record] <= last) {
          within[size++] = record;
        }
      }
      if (size > 0 && !searchBelow(within, size, first, last, 0, -1)) {
        return false;
      }
      first = last + 1;
      if (isStopped(count)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Places what is left of some records.
   *
   * @param records by order; some may be placed
   * @param from no record is placed below, nor at it if its rank is below {@code fromRank}
   */
  private boolean searchBelow(
      int[] records, int count, int firstSection, int lastSection, long from, int fromRank) {
    int[] unplaced = new int[count];
    int left = 0;
    long end = Long.MAX_VALUE;
    for (int k = 0; k < count; k++) {
      int record = records[k];
      if (!placed[record]) {
        unplaced[left++] = record;
        end = Math.min(end, lowest[record] + part.bytes[record]);
      }
    }
    if (left == 0) {
      return true;
    }
    int[] candidates = new int[left];
    int candidateCount = 0;
    long moves = 0;
    for (int k = 0; k < left; k++) {
      int record = unplaced[k];
      long offset = lowest[record];
      if (offset < end && (offset > from || (offset == from && rank[record] > fromRank))) {
        int to = candidateCount++;
        for (; to > 0 && lowest[candidates[to - 1]] > offset; to--) {
          candidates[to] = candidates[to - 1];
        }
        candidates[to] = record;
        moves += candidateCount - to;
      }
    }
    isStopped(2L * count + moves);
    for (int k = 0; k < candidateCount; k++) {
      if (cut || nodes >= nodeLimit) {
        cut = true;
        return false;
      }
      nodes++;
      int record = candidates[k];
      if (searchWith(record, unplaced, left, firstSection, lastSection)) {
        return true;
      }
      if (cut) {
        return false;
      }
    }
    return false;
  }

  /** Places a record at its lowest offset, and the others after it. */
  private boolean searchWith(
      int record, int[] unplaced, int count, int firstSection, int lastSection) {
    long offset = lowest[record];
    int changesBefore = changeCount;
    boolean found = false;
    if (place(record, offset, firstSection, lastSection)) {
      boolean fallsApart = false;
      for (int s = part.firstSection[record]; s < part.lastSection[record]; s++) {
        fallsApart |= --crossing[s] == 0;
      }
      found =
          fallsApart
              ? searchParts(unplaced, count, firstSection, lastSection)
              : searchBelow(unplaced, count, firstSection, lastSection, offset, rank[record]);
      for (int s = part.firstSection[record]; s < part.lastSection[record]; s++) {
        crossing[s]++;
      }
    }
    if (found) {
      offsets[record] = offset;
    }
    takeBack(record, changesBefore);
    return found;
  }

  /** Places a record and {@return whether no section is overfull then, as far as that shows} */
  private boolean place(int record, long offset, int firstSection, int lastSection) {
    placed[record] = true;
    addUnplaced(record, -part.paddedBytes(record));
    if (isStopped(2L * (lastSection - firstSection) + part.conflicts[record].length)) {
      return false;
    }
    for (int s = firstSection; s <= lastSection; s++) {
      if (unplacedBytes[s] > 0 && offset + unplacedBytes[s] - mostPadding[s] > capacity) {
        weights.failed(s);
        return false;
      }
    }
    touch++;
    long top = offset + part.bytes[record];
    int firstTouched = Integer.MAX_VALUE;
    int lastTouched = -1;
    for (int other : part.conflicts[record]) {
      if (!placed[other] && lowest[other] < top) {
        remember(other);
        lowest[other] = free(other, top);
        if (lowest[other] > capacity - part.bytes[other]) {
          weights.failed(part.firstSection[other], part.lastSection[other]);
          return false;
        }
        int[] ranges = part.sectionRanges[other];
        for (int k = 0; k < ranges.length; k += 2) {
          Arrays.fill(touchedAt, ranges[k], ranges[k + 1] + 1, touch);
        }
        firstTouched = Math.min(firstTouched, part.firstSection[other]);
        lastTouched = Math.max(lastTouched, part.lastSection[other]);
      }
    }
    for (int s = firstTouched; s <= lastTouched && !cut; s++) {
      if (touchedAt[s] == touch && isOverfull(s, offset)) {
        weights.failed(s);
        return false;
      }
    }
    return !cut;
  }

  private void remember(int record) {
    if (changeCount == changedRecords.length) {
      changedRecords = Arrays.copyOf(changedRecords, 2 * changeCount);
      changedOffsets = Arrays.copyOf(changedOffsets, 2 * changeCount);
    }
    changedRecords[changeCount] = record;
    changedOffsets[changeCount++] = lowest[record];
  }

  private void takeBack(int record, int changesBefore) {
    while (changeCount > changesBefore) {
      changeCount--;
      lowest[changedRecords[changeCount]] = changedOffsets[changeCount];
    }
    placed[record] = false;
    addUnplaced(record, part.paddedBytes(record));
  }

  private void addUnplaced(int record, long change) {
    int[] ranges = part.sectionRanges[record];
    for (int k = 0; k < ranges.length; k += 2) {
      for (int section = ranges[k]; section <= ranges[k + 1]; section++) {
        unplacedBytes[section] += change;
      }
    }
  }

  /**
   * {@return whether what is unplaced at a section cannot lie between its lowest offsets and the
   * capacity}
   *
   * <p>That is the bound of {@link ReleasedBytes}: nothing of a record lies below its lowest
   * offset.
   *
   * @param from below which nothing unplaced lies
   */
  private boolean isOverfull(int section, long from) {
    long bound = capacity + mostPadding[section];
    long latest = 0;
    released.clear();
    for (int member : part.members[section]) {
      if (!placed[member]) {
        long release = Math.max(lowest[member], from);
        latest = Math.max(latest, release);
        released.add(release, part.paddedBytes(member));
      }
    }
    long[] pinned = part.pinned[section];
    long total = latest + unplacedBytes[section];
    if (isStopped(part.members[section].length) || released.isEmpty()) {
      return false;
    }
    if (pinned.length == 0 && total <= bound) {
      return false;
    }
    isStopped(2L * released.sort());
    return released.lastEnd(pinned) > bound;
  }
}
