package dev.stowage.plan.shapes.search;

import dev.stowage.plan.Gap;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.SymbolicRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The ranges of tasks at which each record needs its bytes, on a compressed time axis: the starts
 * of all ranges, numbered in ascending order.
 *
 * <p>Two records need bytes at the same task if and only if they have a rank in common.
 */
final class LiveRanks {

  private final int count;

  /** The index of the first range of each record, and the number of all ranges. */
  private final int[] starts;

  private final int[] firsts;
  private final int[] lasts;

  private LiveRanks(int count, int[] starts, int[] firsts, int[] lasts) {
    this.count = count;
    this.starts = starts;
    this.firsts = firsts;
    this.lasts = lasts;
  }

  static LiveRanks of(SymbolicProblem problem) {
    List<List<long[]>> live = problem.records().stream().map(LiveRanks::liveTasks).toList();
    long[] tasks =
        live.stream()
            .flatMap(List::stream)
            .mapToLong(range -> range[0])
            .sorted()
            .distinct()
            .toArray();
    int[] starts = new int[live.size() + 1];
    for (int i = 0; i < live.size(); i++) {
      starts[i + 1] = starts[i] + live.get(i).size();
    }
    int[] firsts = new int[starts[live.size()]];
    int[] lasts = new int[firsts.length];
    int next = 0;
    for (List<long[]> ranges : live) {
      for (long[] range : ranges) {
        firsts[next] = Arrays.binarySearch(tasks, range[0]);
        int found = Arrays.binarySearch(tasks, range[1]);
        lasts[next++] = found >= 0 ? found : -found - 2;
      }
    }
    return new LiveRanks(tasks.length, starts, firsts, lasts);
  }

  /** {@return the ranges of tasks at which a record needs its bytes} */
  private static List<long[]> liveTasks(SymbolicRecord record) {
    List<long[]> ranges = new ArrayList<>();
    long from = record.firstTask();
    for (Gap gap : record.gaps()) {
      if (from < gap.firstTask()) {
        ranges.add(new long[] {from, gap.firstTask() - 1});
      }
      if (gap.lastTask() == record.lastTask()) {
        return ranges;
      }
      from = gap.lastTask() + 1;
    }
    ranges.add(new long[] {from, record.lastTask()});
    return ranges;
  }

  /** {@return the number of ranks} */
  int count() {
    return count;
  }

  /**
   * {@return the index of the first range of a record; the ranges of the next one follow its own}
   */
  int firstRange(int record) {
    return starts[record];
  }

  /** {@return the first rank of a range} */
  int first(int range) {
    return firsts[range];
  }

  /** {@return the last rank of a range, inclusive} */
  int last(int range) {
    return lasts[range];
  }

  /** {@return the sum of the lengths of all ranges, in ranks} */
  long rankCount() {
    long ranks = 0;
    for (int range = 0; range < firsts.length; range++) {
      ranks += lasts[range] - firsts[range] + 1;
    }
    return ranks;
  }

  /**
   * {@return a lower bound of the arena: the largest sum of bytes that are live at one task, or the
   * size of a record if larger}
   *
   * @param sizes the size of each record
   */
  long lowerBound(long[] sizes) {
    long[] changes = new long[count + 1];
    long bound = 0;
    for (int record = 0; record < sizes.length; record++) {
      for (int range = starts[record]; range < starts[record + 1]; range++) {
        changes[firsts[range]] += sizes[record];
        changes[lasts[range] + 1] -= sizes[record];
      }
      bound = Math.max(bound, sizes[record]);
    }
    long live = 0;
    for (long change : changes) {
      live += change;
      bound = Math.max(bound, live);
    }
    return bound;
  }
}
