package dev.stowage.plan.search.offsets;

import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.StepCounter;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** A placement of some records of a partition, with the lowest offset of each unplaced record. */
final class PartialPlacement {

  /*
   * L1  lowest[x] of an unplaced record x is its lowest possible offset: x overlaps no obstacle
   *     there, and lies above all placed records that conflict with it;
   * L2  unplacedBytes[s] is the sum of the padded bytes of the unplaced records of section s;
   * L3  crossing[s] is the number of unplaced records that are live at sections s and s + 1, or
   *     before and after.
   *
   * They hold after start(), place() with leaveSections(), and enterSections() with takeBack().
   */

  private final Partition partition;
  private final SectionWeights weights;

  /** For each section, the largest padding of a record. */
  private final long[] maxPadding;

  private final long[] lowest;
  private final boolean[] placed;
  private final long[] unplacedBytes;
  private final int[] crossing;

  /** The undo log: each record with a changed {@link #lowest}. */
  private int[] changedRecords = new int[16];

  /** The value of {@link #lowest} before each change. */
  private long[] changedOffsets = new long[16];

  private int changeCount;

  /** For each section, the last placement that raised the lowest offset of one of its records. */
  private final int[] touchedAt;

  private int touch;

  private final ReleasedBytes released;

  private long capacity;
  private StepCounter steps = new StepCounter(() -> false);
  private boolean isStopped;

  /**
   * Creates a placement of no record.
   *
   * @param weights counts the failures of each section
   */
  PartialPlacement(Partition partition, SectionWeights weights) {
    this.partition = partition;
    this.weights = weights;
    int count = partition.recordCount();
    lowest = new long[count];
    placed = new boolean[count];
    unplacedBytes = new long[partition.sectionCount()];
    crossing = new int[partition.sectionCount()];
    touchedAt = new int[partition.sectionCount()];
    maxPadding = new long[partition.sectionCount()];
    int maxMembers = 0;
    for (int section = 0; section < maxPadding.length; section++) {
      maxMembers = Math.max(maxMembers, partition.members[section].length);
      for (int member : partition.members[section]) {
        maxPadding[section] =
            Math.max(maxPadding[section], partition.paddedBytes[member] - partition.bytes[member]);
      }
    }
    released = new ReleasedBytes(maxMembers);
  }

  /**
   * Starts with no placed record and {@return true if no section is overfull}
   *
   * @param newCapacity the size of the arena
   * @param stop true to give up; called after a certain number of steps
   */
  boolean start(long newCapacity, BooleanSupplier stop) {
    capacity = newCapacity;
    steps = new StepCounter(stop);
    isStopped = false;
    changeCount = 0;
    Arrays.fill(placed, false);
    Arrays.fill(unplacedBytes, 0);
    Arrays.fill(crossing, 0);
    boolean fits = true;
    for (int record = 0; record < lowest.length; record++) {
      lowest[record] = free(record, 0);
      fits &= lowest[record] <= capacity - partition.bytes[record];
      addUnplaced(record, partition.paddedBytes[record]);
      addCrossing(record, 1);
      if (countSteps(4L * (partition.lastSection[record] - partition.firstSection[record] + 4))) {
        return false;
      }
    }
    for (int s = 0; fits && s < partition.sectionCount(); s++) {
      fits = !isOverfull(s, 0, capacity) && !isStopped;
    }
    return fits;
  }

  /** Counts steps and {@return true if the caller of the search has stopped it} */
  boolean countSteps(long count) {
    isStopped |= steps.isStopped(count);
    return isStopped;
  }

  /** Stops the search. */
  void stop() {
    isStopped = true;
  }

  boolean isStopped() {
    return isStopped;
  }

  boolean isPlaced(int record) {
    return placed[record];
  }

  /** {@return the lowest offset of an unplaced record} */
  long lowest(int record) {
    return lowest[record];
  }

  /** {@return true if an unplaced record is live at a section and the next one} */
  boolean isCrossed(int section) {
    return crossing[section] > 0;
  }

  /** {@return the length of the undo log, for {@link #takeBack}} */
  int changeCount() {
    return changeCount;
  }

  /**
   * Places a record at its lowest offset and {@return true if the capacity may hold the others}
   *
   * <p>The record is placed in any case; {@link #takeBack} undoes it.
   *
   * @param firstSection the first section of the unplaced records that are searched
   * @param lastSection the last section of these records
   */
  boolean place(int record, int firstSection, int lastSection) {
    long offset = lowest[record];
    placed[record] = true;
    addUnplaced(record, -partition.paddedBytes[record]);
    if (countSteps(2L * (lastSection - firstSection) + partition.conflicts[record].length)) {
      return false;
    }
    for (int s = firstSection; s <= lastSection; s++) {
      if (unplacedBytes[s] > 0 && offset + unplacedBytes[s] - maxPadding[s] > capacity) {
        weights.addFailure(s);
        return false;
      }
    }
    return raiseConflicts(record, offset);
  }

  /**
   * Lifts the records that overlap a placed one and {@return true if the capacity may hold them}
   */
  private boolean raiseConflicts(int record, long offset) {
    touch++;
    long top = offset + partition.bytes[record];
    long highest = top;
    int firstTouched = Integer.MAX_VALUE;
    int lastTouched = -1;
    for (int other : partition.conflicts[record]) {
      if (!placed[other] && lowest[other] < top) {
        remember(other);
        lowest[other] = free(other, top);
        if (lowest[other] > capacity - partition.bytes[other]) {
          weights.addFailure(partition.firstSection[other], partition.lastSection[other]);
          return false;
        }
        int[] ranges = partition.sectionRanges[other];
        for (int k = 0; k < ranges.length; k += 2) {
          Arrays.fill(touchedAt, ranges[k], ranges[k + 1] + 1, touch);
        }
        highest = Math.max(highest, lowest[other]);
        firstTouched = Math.min(firstTouched, partition.firstSection[other]);
        lastTouched = Math.max(lastTouched, partition.lastSection[other]);
      }
    }
    for (int s = firstTouched; s <= lastTouched && !isStopped; s++) {
      if (touchedAt[s] == touch && isOverfull(s, offset, highest)) {
        weights.addFailure(s);
        return false;
      }
    }
    return !isStopped;
  }

  /**
   * Undoes the last placement.
   *
   * @param record the record placed last
   * @param changesBefore {@link #changeCount} before it was placed
   */
  void takeBack(int record, int changesBefore) {
    while (changeCount > changesBefore) {
      changeCount--;
      lowest[changedRecords[changeCount]] = changedOffsets[changeCount];
    }
    placed[record] = false;
    addUnplaced(record, partition.paddedBytes[record]);
  }

  /**
   * Subtracts a placed record from the sections that it crosses and {@return true if the unplaced
   * records fall apart into partitions}
   */
  boolean leaveSections(int record) {
    boolean fallsApart = false;
    for (int s = partition.firstSection[record]; s < partition.lastSection[record]; s++) {
      fallsApart |= --crossing[s] == 0;
    }
    return fallsApart;
  }

  /** Undoes {@link #leaveSections}. */
  void enterSections(int record) {
    addCrossing(record, 1);
  }

  private void addCrossing(int record, int change) {
    for (int s = partition.firstSection[record]; s < partition.lastSection[record]; s++) {
      crossing[s] += change;
    }
  }

  private void addUnplaced(int record, long change) {
    int[] ranges = partition.sectionRanges[record];
    for (int k = 0; k < ranges.length; k += 2) {
      for (int section = ranges[k]; section <= ranges[k + 1]; section++) {
        unplacedBytes[section] += change;
      }
    }
  }

  private void remember(int record) {
    if (changeCount == changedRecords.length) {
      changedRecords = Arrays.copyOf(changedRecords, 2 * changeCount);
      changedOffsets = Arrays.copyOf(changedOffsets, 2 * changeCount);
    }
    changedRecords[changeCount] = record;
    changedOffsets[changeCount++] = lowest[record];
  }

  /** {@return the lowest offset from {@code from} on without an obstacle for a record} */
  private long free(int record, long from) {
    long offset = Alignment.up(from, partition.alignment[record]);
    long[] obstacles = partition.obstacles[record];
    if (obstacles.length == 0) {
      return offset;
    }
    int first = firstEndingAfter(obstacles, offset);
    int k = first;
    for (; k < obstacles.length && obstacles[k] < offset + partition.bytes[record]; k += 2) {
      offset = Math.max(offset, Alignment.up(obstacles[k + 1], partition.alignment[record]));
    }
    countSteps(8L + k - first);
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

  /**
   * {@return true if the unplaced records of a section do not fit between their lowest offsets and
   * the capacity}
   *
   * <p>This is the bound of {@link ReleasedBytes}: no byte of a record lies below its lowest
   * offset. Without pinned bytes, it is the largest sum of an offset and the bytes of the records
   * that lie at or above it. A placement changes this sum only for offsets between its own and the
   * highest one that it gives to another record. So the records above are one job.
   *
   * @param from the lowest offset of any unplaced record
   * @param highest the largest of the lowest offsets that changed
   */
  private boolean isOverfull(int section, long from, long highest) {
    long[] pinned = partition.pinned[section];
    long bound = capacity + maxPadding[section];
    boolean isPinned = pinned.length > 0;
    boolean canFail =
        isPinned ? unplacedBytes[section] > 0 : highest > bound - unplacedBytes[section];
    if (!canFail) {
      return false;
    }
    long above = isPinned ? Long.MAX_VALUE : highest;
    long bytesAbove = unplacedBytes[section];
    released.clear(from);
    int[] members = partition.members[section];
    for (int member : members) {
      if (!placed[member] && lowest[member] < above) {
        long ofMember = partition.paddedBytes[member];
        bytesAbove -= ofMember;
        released.add(lowest[member], ofMember);
      }
    }
    if (bytesAbove > 0) {
      released.add(highest, bytesAbove);
    }
    if (countSteps(members.length)) {
      return false;
    }
    if (!isPinned && highest <= bound - unplacedBytes[section] + released.firstBytes()) {
      return false;
    }
    countSteps(2L * released.sort());
    return released.minEnd(pinned) > bound;
  }

  /**
   * Checks L1 to L3 from their definitions.
   *
   * @param offsets the offsets of the placed records
   * @throws AssertionError if one of them does not hold
   */
  void checkInvariants(long[] offsets) {
    long[] bytes = new long[unplacedBytes.length];
    int[] crossed = new int[crossing.length];
    for (int record = 0; record < lowest.length; record++) {
      if (placed[record]) {
        continue;
      }
      long end = 0;
      for (int other : partition.conflicts[record]) {
        end = placed[other] ? Math.max(end, offsets[other] + partition.bytes[other]) : end;
      }
      check(lowest[record] == free(record, end), "L1", "lowest", record);
      for (int section = 0; section < bytes.length; section++) {
        for (int member : partition.members[section]) {
          bytes[section] += member == record ? partition.paddedBytes[record] : 0;
        }
        boolean isCrossed =
            partition.firstSection[record] <= section && section < partition.lastSection[record];
        crossed[section] += isCrossed ? 1 : 0;
      }
    }
    for (int section = 0; section < bytes.length; section++) {
      check(bytes[section] == unplacedBytes[section], "L2", "unplacedBytes", section);
      check(crossed[section] == crossing[section], "L3", "crossing", section);
    }
  }

  private static void check(boolean holds, String label, String field, int index) {
    if (!holds) {
      throw new AssertionError(label + " does not hold for " + field + "[" + index + "]");
    }
  }
}
