package dev.stowage.plan.shapes;

import dev.stowage.plan.Gap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The last added record at each task, among those that need their bytes there.
 *
 * <p>Adding n records with r ranges of tasks costs O((n + r) log (n + r)), because a record ends
 * the runs of equal tasks within its ranges and adds at most two for each range.
 */
final class TopRecords {

  private static final int NONE = -1;

  /** The first task of each run of tasks with the same record on top, and that record. */
  private final NavigableMap<Long, Integer> runs = new TreeMap<>(Map.of(0L, NONE));

  /** {@return the different records on top at the tasks of a record, which is then on top there} */
  Collection<Integer> put(int index, SymbolicRecord record) {
    Set<Integer> tops = new LinkedHashSet<>();
    for (long[] range : liveTasks(record)) {
      put(index, range[0], range[1], tops);
    }
    tops.remove(NONE);
    return tops;
  }

  private void put(int index, long first, long last, Set<Integer> tops) {
    int before = runs.floorEntry(first).getValue();
    NavigableMap<Long, Integer> covered = runs.subMap(first, true, last, true);
    int lastTop = covered.isEmpty() ? before : covered.lastEntry().getValue();
    if (!runs.containsKey(first)) {
      tops.add(before);
    }
    tops.addAll(covered.values());
    covered.clear();
    runs.put(first, index);
    if (last < Long.MAX_VALUE) {
      runs.putIfAbsent(last + 1, lastTop);
    }
  }

  /** {@return the ranges of tasks at which a record needs its bytes, first and last ones} */
  private static List<long[]> liveTasks(SymbolicRecord record) {
    List<long[]> live = new ArrayList<>();
    long next = record.firstTask();
    for (Gap gap : record.gaps()) {
      if (gap.firstTask() > next) {
        live.add(new long[] {next, gap.firstTask() - 1});
      }
      if (gap.lastTask() >= record.lastTask()) {
        return live;
      }
      next = gap.lastTask() + 1;
    }
    live.add(new long[] {next, record.lastTask()});
    return live;
  }
}
