package dev.stowage.core.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Records that conflict with each other, directly or by way of others, as a search needs them.
 *
 * <p>Parts of a problem are planned apart: no record of one conflicts with a record of another.
 * Movable records are numbered from 0 here, in the order of the problem; others are obstacles.
 * Records that need no byte at any task belong to no part. Windows of gaps are not known here: a
 * record needs all of its bytes wherever it needs some.
 */
final class ConflictPart {

  /*
   * The time axis is cut down to sections. Of all tasks, only those matter whose live movable records
   * are no subset of another's: where one starts, and one ends before the next start. There are
   * at most as many as live ranges.
   */

  /** The records' indices in the problem. */
  final int[] records;

  final long[] bytes;
  final long[] alignment;

  /** The length of each lifetime, as a share of the longest one. */
  final double[] lifetimes;

  /** First and last section, of all live ranges together. */
  final int[] firstSection;

  final int[] lastSection;

  /** The sections of each live range, first and last in turn. */
  final int[][] sectionRanges;

  /** For each record, the others that it shares a section with, ascending. */
  final int[][] conflicts;

  /** For each record, start and end of each range of bytes pinned against it, in turn, merged. */
  final long[][] obstacles;

  /** For each section, its movable records. */
  final int[][] members;

  /** For each section, start and end of the ranges of bytes pinned at one of its tasks, merged. */
  final long[][] pinned;

  /** Whether some record has a gap during which it needs a part of its bytes. */
  final boolean hasWindows;

  /** Every offset that a search tries is a multiple of this. */
  final long granularityBytes;

  private ConflictPart(
      PlanProblem problem, int[] movable, int[] fixed, long[] offsets, long[] sectionStarts) {
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
    hasWindows =
        IntStream.concat(Arrays.stream(movable), Arrays.stream(fixed))
            .anyMatch(i -> hasWindow(problem.records().get(i)));
    members = members(sectionStarts.length);
    conflicts = conflicts();
    pinned = new long[sectionStarts.length][];
    obstacles = new long[count][];
    pin(problem, fixed, offsets, sectionStarts);
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

  /** {@return a number that divides the size of every arena in which no record can lie lower} */
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
      before = unit; // what one alignment takes away may be what another one asked for
      for (long multiple : alignment) {
        unit = unit % multiple == 0 ? unit : Alignment.greatestCommonDivisor(unit, multiple);
      }
    } while (unit < before);
    return unit;
  }

  /** {@return bytes that no arena of the movable records can do without, as alignment wants it} */
  long paddedLoad() {
    if (hasWindows) {
      return 0;
    }
    long load = 0;
    for (int section = 0; section < sectionCount(); section++) {
      long sum = 0;
      long mostPadding = 0;
      for (int member : members[section]) {
        sum += paddedBytes(member);
        mostPadding = Math.max(mostPadding, paddedBytes(member) - bytes[member]);
      }
      load = Math.max(load, sum - mostPadding);
    }
    return load;
  }

  /** {@return the bytes that a record takes where offsets are multiples of the granularity} */
  long paddedBytes(int record) {
    return Alignment.up(bytes[record], granularityBytes);
  }

  /**
   * {@return some records of a problem, as a part}
   *
   * @param movable their indices, ascending
   * @param fixed the indices of others that stay where they are, as far as they conflict with those
   * @param offsets where records are, by their indices in the problem
   */
  static ConflictPart of(PlanProblem problem, int[] movable, int[] fixed, long[] offsets) {
    List<LiveRange> ranges = new ArrayList<>();
    for (int i : movable) {
      ranges.addAll(problem.records().get(i).liveRanges());
    }
    return new ConflictPart(problem, movable, fixed, offsets, sectionStarts(ranges));
  }

  /** {@return the indices of the records of each part, ascending; parts by their first task} */
  static List<int[]> split(PlanProblem problem) {
    List<TensorUsageRecord> all = problem.records();
    int[] byFirstTask = IndexOrder.ascending(all.size(), i -> all.get(i).firstTask());
    List<int[]> parts = new ArrayList<>();
    int[] part = new int[all.size()];
    int count = 0;
    long end = -1;
    for (int i : byFirstTask) {
      TensorUsageRecord record = all.get(i);
      if (!needsBytes(record)) {
        continue;
      }
      if (record.firstTask() > end && count > 0) {
        parts.add(sorted(part, count));
        count = 0;
      }
      part[count++] = i;
      end = Math.max(end, record.lastTask());
    }
    if (count > 0) {
      parts.add(sorted(part, count));
    }
    return parts;
  }

  /** {@return whether a record needs some byte at some task; else it belongs to no part} */
  static boolean needsBytes(TensorUsageRecord record) {
    return record.bytes() > 0 && !record.liveRanges().isEmpty();
  }

  private static int[] sorted(int[] indices, int count) {
    int[] sorted = Arrays.copyOf(indices, count);
    Arrays.sort(sorted);
    return sorted;
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

  private static int[] sectionsOf(TensorUsageRecord record, long[] sectionStarts) {
    List<LiveRange> ranges = record.liveRanges();
    int[] sections = new int[2 * ranges.size()];
    for (int k = 0; k < ranges.size(); k++) {
      int first = Arrays.binarySearch(sectionStarts, ranges.get(k).firstTask());
      int last = Arrays.binarySearch(sectionStarts, ranges.get(k).lastTask());
      sections[2 * k] = first >= 0 ? first : -first - 1;
      sections[2 * k + 1] = last >= 0 ? last : -last - 2;
    }
    return sections;
  }

  private int[][] members(int sectionCount) {
    int[] counts = new int[sectionCount];
    for (int[] ranges : sectionRanges) {
      for (int k = 0; k < ranges.length; k += 2) {
        for (int section = ranges[k]; section <= ranges[k + 1]; section++) {
          counts[section]++;
        }
      }
    }
    int[][] lists = new int[sectionCount][];
    Arrays.setAll(lists, section -> new int[counts[section]]);
    for (int record = recordCount() - 1; record >= 0; record--) {
      int[] ranges = sectionRanges[record];
      for (int k = 0; k < ranges.length; k += 2) {
        for (int section = ranges[k]; section <= ranges[k + 1]; section++) {
          lists[section][--counts[section]] = record;
        }
      }
    }
    return lists;
  }

  private int[][] conflicts() {
    int[][] lists = new int[recordCount()][];
    int[] seenBy = new int[recordCount()];
    Arrays.fill(seenBy, -1);
    int[] found = new int[recordCount()];
    for (int record = 0; record < lists.length; record++) {
      seenBy[record] = record;
      int count = 0;
      int[] ranges = sectionRanges[record];
      for (int k = 0; k < ranges.length; k += 2) {
        for (int section = ranges[k]; section <= ranges[k + 1]; section++) {
          for (int other : members[section]) {
            if (seenBy[other] != record) {
              seenBy[other] = record;
              found[count++] = other;
            }
          }
        }
      }
      lists[record] = Arrays.copyOf(found, count);
      Arrays.sort(lists[record]);
    }
    return lists;
  }

  private void pin(PlanProblem problem, int[] fixed, long[] offsets, long[] sectionStarts) {
    int[] byOffset = IndexOrder.ascending(fixed.length, k -> offsets[fixed[k]]);
    List<FixedRange> ranges = new ArrayList<>();
    for (int k : byOffset) {
      TensorUsageRecord record = problem.records().get(fixed[k]);
      long start = offsets[fixed[k]];
      for (LiveRange range : record.liveRanges()) {
        ranges.add(
            new FixedRange(range.firstTask(), range.lastTask(), start, start + record.bytes()));
      }
    }
    Edges edges = new Edges();
    for (int section = 0; section < sectionCount(); section++) {
      long task = sectionStarts[section];
      edges.clear();
      for (FixedRange range : ranges) {
        if (range.isLive(task, task)) {
          edges.add(range.startByte, range.endByte);
        }
      }
      pinned[section] = edges.toArray();
    }
    for (int record = 0; record < recordCount(); record++) {
      List<LiveRange> needs = problem.records().get(records[record]).liveRanges();
      edges.clear();
      for (FixedRange range : ranges) {
        for (LiveRange need : needs) {
          if (range.isLive(need.firstTask(), need.lastTask())) {
            edges.add(range.startByte, range.endByte);
          }
        }
      }
      obstacles[record] = edges.toArray();
    }
  }

  /** Bytes that something takes that stays where it is. */
  private record FixedRange(long firstTask, long lastTask, long startByte, long endByte) {

    boolean isLive(long from, long to) {
      return firstTask <= to && lastTask >= from;
    }
  }

  /** Ranges of bytes, added by ascending start; those that overlap or touch are merged. */
  private static final class Edges {

    private long[] edges = new long[16];
    private int count;

    void clear() {
      count = 0;
    }

    void add(long start, long end) {
      if (count > 0 && start <= edges[count - 1]) {
        edges[count - 1] = Math.max(edges[count - 1], end);
        return;
      }
      if (count == edges.length) {
        edges = Arrays.copyOf(edges, 2 * count);
      }
      edges[count++] = start;
      edges[count++] = end;
    }

    long[] toArray() {
      return Arrays.copyOf(edges, count);
    }
  }
}
