package dev.stowage.plan.search.offsets;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.time.LiveRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A set of records that conflict with each other, directly or through other records, as a data
 * structure for searches.
 *
 * <p>No record of a partition conflicts with a record of another one, so each is planned on its
 * own. The movable records are numbered from 0, in the order of the problem; other records are
 * obstacles. Records that need no byte at any task belong to no partition. A partition ignores
 * windows: if a record needs some bytes at a task, it needs all of them.
 */
final class Partition {

  /*
   * The time axis is reduced to sections, as in MiniMalloc. A section is a task with a maximal set
   * of live movable records: a live range starts at it, and a live range ends before the next
   * start. There are at most as many sections as live ranges.
   */

  /** The records' indices in the problem. */
  final int[] records;

  final long[] bytes;

  /** The bytes of each record, rounded up to the granularity. */
  final long[] paddedBytes;

  final long[] alignment;

  /** The length of each lifetime, divided by the length of the longest one. */
  final double[] lifetimes;

  /** The first section of each record. */
  final int[] firstSection;

  /** The last section of each record. */
  final int[] lastSection;

  /** For each record, the first and last section of each live range, alternating. */
  final int[][] sectionRanges;

  /** For each record, the records that share a section with it, ascending. */
  final int[][] conflicts;

  /**
   * For each record, the start and end of each range of bytes that conflicting fixed records
   * occupy, alternating, ascending and disjoint.
   */
  final long[][] obstacles;

  /** For each record, the first record of its group, as in {@link RecordGroups}. */
  final int[] groups;

  /** For each record, the first record of its group that has the same bytes. */
  final int[] equals;

  /** For each section, its movable records, ascending. */
  final int[][] members;

  /** For each section, the ranges of bytes that fixed records occupy, as in {@link #obstacles}. */
  final long[][] pinned;

  /** True if a record has a gap during which it needs some of its bytes. */
  final boolean hasWindows;

  /** The greatest common divisor of all offsets that a search can try. */
  final long granularityBytes;

  private Partition(
      PlanProblem problem,
      int[] movable,
      int[] fixed,
      long[] offsets,
      long[] sectionStarts,
      StepCounter steps) {
    int count = movable.length;
    records = movable;
    bytes = new long[count];
    alignment = new long[count];
    lifetimes = new double[count];
    firstSection = new int[count];
    lastSection = new int[count];
    sectionRanges = new int[count][];
    long granularity = 0;
    for (int k = 0; k < count; k++) {
      TensorUsageRecord record = problem.records().get(records[k]);
      bytes[k] = record.bytes();
      lifetimes[k] = (double) record.lastTask() - record.firstTask() + 1;
      alignment[k] = problem.alignmentOf(record);
      granularity = Alignment.greatestCommonDivisor(alignment[k], granularity);
      sectionRanges[k] = sectionsOf(record, sectionStarts);
      firstSection[k] = sectionRanges[k][0];
      lastSection[k] = sectionRanges[k][sectionRanges[k].length - 1];
    }
    double longest = Arrays.stream(lifetimes).max().orElse(1);
    Arrays.setAll(lifetimes, k -> lifetimes[k] / longest);
    for (int i : fixed) {
      granularity = Alignment.greatestCommonDivisor(offsets[i], granularity);
    }
    granularityBytes = granularity;
    paddedBytes = new long[count];
    Arrays.setAll(paddedBytes, k -> Alignment.up(bytes[k], granularityBytes));
    hasWindows =
        IntStream.concat(Arrays.stream(movable), Arrays.stream(fixed))
            .anyMatch(i -> hasWindow(problem.records().get(i)));
    members = members(sectionStarts.length, steps);
    conflicts = conflicts(steps);
    FixedBytes taken = new FixedBytes(problem, fixed, offsets, steps);
    pinned = taken.takenAt(sectionStarts);
    obstacles = new long[count][];
    Arrays.setAll(
        obstacles, k -> taken.takenDuring(LiveRange.of(problem.records().get(movable[k]))));
    groups = groups(false, steps);
    equals = groups(true, steps);
  }

  private static boolean hasWindow(TensorUsageRecord record) {
    return record.gaps().stream().anyMatch(gap -> gap.windowBytes() > 0);
  }

  int recordCount() {
    return records.length;
  }

  int sectionCount() {
    return members.length;
  }

  /** {@return the end of the last record} */
  long end(long[] offsets) {
    long end = 0;
    for (int record = 0; record < recordCount(); record++) {
      end = Math.max(end, offsets[record] + bytes[record]);
    }
    return end;
  }

  /** {@return a divisor of the size of every arena if no record of the arena can move down} */
  long unitBytes() {
    if (hasWindows) {
      return 1;
    }
    long unit = 0;
    for (long size : bytes) {
      unit = Alignment.greatestCommonDivisor(size, unit);
    }
    for (long[] ranges : obstacles) {
      for (long edge : ranges) {
        unit = Alignment.greatestCommonDivisor(edge, unit);
      }
    }
    long before;
    do {
      before = unit; // a divisor for one alignment may require a smaller one for another
      for (long multiple : alignment) {
        unit = unit % multiple == 0 ? unit : Alignment.greatestCommonDivisor(unit, multiple);
      }
    } while (unit < before);
    return unit;
  }

  /**
   * {@return the partition of some records of a problem}
   *
   * @param movable the indices of its records, ascending
   * @param fixed the indices of the records that are obstacles
   * @param offsets the offset of each record of the problem; only the offsets of obstacles are used
   * @param steps counts the work
   * @throws java.util.concurrent.CancellationException if {@code steps} is stopped
   */
  static Partition of(
      PlanProblem problem, int[] movable, int[] fixed, long[] offsets, StepCounter steps) {
    List<LiveRange> ranges = new ArrayList<>();
    for (int i : movable) {
      ranges.addAll(LiveRange.of(problem.records().get(i)));
    }
    return new Partition(problem, movable, fixed, offsets, sectionStarts(ranges), steps);
  }

  /**
   * {@return an upper bound of the number of entries in {@link #members} and {@link #conflicts}}
   *
   * @param movable the indices of the partition's records, as in {@link #of}
   */
  static long entryBound(PlanProblem problem, int[] movable) {
    long[] starts = new long[movable.length];
    long[] ends = new long[movable.length];
    int count = 0;
    for (int i : movable) {
      List<LiveRange> ranges = LiveRange.of(problem.records().get(i));
      if (count + ranges.size() > starts.length) {
        int length = Math.max(count + ranges.size(), 2 * starts.length);
        starts = Arrays.copyOf(starts, length);
        ends = Arrays.copyOf(ends, length);
      }
      for (LiveRange range : ranges) {
        starts[count] = range.firstTask();
        ends[count++] = range.lastTask();
      }
    }
    Arrays.sort(starts, 0, count);
    Arrays.sort(ends, 0, count);
    // Two overlapping live ranges are two entries of conflicts, and one of members at most.
    long entries = 0;
    int ended = 0;
    for (int started = 0; started < count; started++) {
      while (ends[ended] < starts[started]) {
        ended++;
      }
      entries += 3L * (started - ended) + 1;
    }
    return entries;
  }

  /** {@return a task of each section} */
  private static long[] sectionStarts(List<LiveRange> ranges) {
    long[] starts = ranges.stream().mapToLong(LiveRange::firstTask).sorted().distinct().toArray();
    long[] ends = ranges.stream().mapToLong(LiveRange::lastTask).sorted().toArray();
    long[] sections = new long[starts.length];
    int count = 0;
    int ended = 0;
    for (int k = 0; k < starts.length; k++) {
      boolean isLast = k + 1 == starts.length;
      if (isLast || ends[ended] < starts[k + 1]) {
        sections[count++] = starts[k];
        while (!isLast && ended < ends.length && ends[ended] < starts[k + 1]) {
          ended++;
        }
      }
    }
    return Arrays.copyOf(sections, count);
  }

  /** {@return the first and last section of each live range of a record, alternating} */
  private static int[] sectionsOf(TensorUsageRecord record, long[] sectionStarts) {
    List<LiveRange> ranges = LiveRange.of(record);
    int[] sections = new int[2 * ranges.size()];
    for (int k = 0; k < ranges.size(); k++) {
      int first = Arrays.binarySearch(sectionStarts, ranges.get(k).firstTask());
      int last = Arrays.binarySearch(sectionStarts, ranges.get(k).lastTask());
      sections[2 * k] = first >= 0 ? first : -first - 1;
      sections[2 * k + 1] = last >= 0 ? last : -last - 2;
    }
    return sections;
  }

  private int[][] members(int sectionCount, StepCounter steps) {
    int[] counts = new int[sectionCount];
    for (int record = 0; record < recordCount(); record++) {
      int[] ranges = sectionRanges[record];
      for (int k = 0; k < ranges.length; k += 2) {
        for (int section = ranges[k]; section <= ranges[k + 1]; section++) {
          counts[section]++;
        }
      }
      steps.check(2L * sectionsSpanned(record));
    }
    int[][] lists = new int[sectionCount][];
    for (int section = 0; section < sectionCount; section++) {
      lists[section] = new int[counts[section]];
      steps.check(counts[section]);
    }
    for (int record = recordCount() - 1; record >= 0; record--) {
      int[] ranges = sectionRanges[record];
      for (int k = 0; k < ranges.length; k += 2) {
        for (int section = ranges[k]; section <= ranges[k + 1]; section++) {
          lists[section][--counts[section]] = record;
        }
      }
      steps.check(4L * sectionsSpanned(record));
    }
    return lists;
  }

  private int sectionsSpanned(int record) {
    return lastSection[record] - firstSection[record] + 1;
  }

  /** {@return the records with a live range that starts at each section} */
  private int[][] starting() {
    int[] counts = new int[sectionCount()];
    for (int[] ranges : sectionRanges) {
      for (int k = 0; k < ranges.length; k += 2) {
        counts[ranges[k]]++;
      }
    }
    int[][] lists = new int[sectionCount()][];
    Arrays.setAll(lists, section -> new int[counts[section]]);
    for (int record = 0; record < recordCount(); record++) {
      int[] ranges = sectionRanges[record];
      for (int k = 0; k < ranges.length; k += 2) {
        lists[ranges[k]][--counts[ranges[k]]] = record;
      }
    }
    return lists;
  }

  /*
   * If two live ranges share a section, one of them starts at a section of the other. So a record
   * conflicts with the members of the first sections of its ranges, and with the records that start
   * later within its ranges.
   */
  private int[][] conflicts(StepCounter steps) {
    int[][] starting = starting();
    int[][] lists = new int[recordCount()][];
    int[] seenBy = new int[recordCount()];
    Arrays.fill(seenBy, -1);
    int[] found = new int[recordCount()];
    for (int record = 0; record < lists.length; record++) {
      seenBy[record] = record;
      int count = 0;
      int[] ranges = sectionRanges[record];
      for (int k = 0; k < ranges.length; k += 2) {
        count = addUnseen(members[ranges[k]], record, seenBy, found, count);
        steps.check(2L * members[ranges[k]].length);
        for (int section = ranges[k] + 1; section <= ranges[k + 1]; section++) {
          count = addUnseen(starting[section], record, seenBy, found, count);
        }
      }
      lists[record] = Arrays.copyOf(found, count);
      Arrays.sort(lists[record]);
      steps.check(16L * count + sectionsSpanned(record));
    }
    return lists;
  }

  /**
   * {@return the first record of the group of each record}
   *
   * @param isByBytes true to divide the groups further, by the bytes of the records
   */
  private int[] groups(boolean isByBytes, StepCounter steps) {
    int[] firstOfGroup = new int[recordCount()];
    for (int record = 0; record < firstOfGroup.length; record++) {
      int[] others = members[firstSection[record]];
      int k = 0;
      while (!isOneGroup(others[k], record) || (isByBytes && bytes[others[k]] != bytes[record])) {
        k++;
      }
      firstOfGroup[record] = others[k];
      steps.check(2L * k);
    }
    return firstOfGroup;
  }

  private boolean isOneGroup(int a, int b) {
    return firstSection[a] == firstSection[b]
        && lastSection[a] == lastSection[b]
        && alignment[a] == alignment[b]
        && Arrays.equals(sectionRanges[a], sectionRanges[b])
        && Arrays.equals(obstacles[a], obstacles[b]);
  }

  /** Adds the records that are not yet marked as seen and {@return the new count} */
  private static int addUnseen(int[] others, int record, int[] seenBy, int[] found, int before) {
    int count = before;
    for (int other : others) {
      if (seenBy[other] != record) {
        seenBy[other] = record;
        found[count++] = other;
      }
    }
    return count;
  }
}
