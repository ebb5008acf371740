package dev.stowage.cli.picture;

import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.InPlace;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A rectangle of the map: the bytes that a record needs during a range of tasks.
 *
 * @param record an index into the problem's records
 * @param firstTask the first task
 * @param lastTask the last task, inclusive
 * @param startByte the first byte needed, counted from the record's offset
 * @param endByte the byte after the last one needed
 */
record Part(int record, long firstTask, long lastTask, long startByte, long endByte) {

  /** {@return the parts of all records, in their order, without empty parts} */
  static List<Part> of(PlanProblem problem) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < problem.records().size(); i++) {
      addParts(parts, i, problem.records().get(i));
    }
    return parts;
  }

  /**
   * {@return the parts that need memory of their own: a record in place of another needs none at
   * their common task}
   */
  static List<Part> ofLoad(PlanProblem problem) {
    Set<Integer> inPlace = inPlace(problem);
    return of(problem).stream()
        .flatMap(part ->
            inPlace.contains(part.record)
                    && part.firstTask == problem.records().get(part.record).firstTask()
                ? part.withoutFirstTask().stream()
                : Stream.of(part))
        .toList();
  }

  /** {@return records of which a plan may use all pairs: for each source the largest record} */
  private static Set<Integer> inPlace(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    List<InPlace> pairs = problem.usableInPlace();
    Set<Integer> inPlace = new HashSet<>(pairs.stream().map(InPlace::record).toList());
    Map<Integer, Integer> largest = new HashMap<>();
    for (InPlace pair : pairs) {
      TensorUsageRecord source = records.get(pair.source());
      boolean isOneTask = source.firstTask() == source.lastTask();
      if (!isOneTask || !inPlace.contains(pair.source())) {
        largest.merge(
            pair.source(),
            pair.record(),
            (one, other) -> records.get(one).bytes() < records.get(other).bytes() ? other : one);
      }
    }
    return new HashSet<>(largest.values());
  }

  private Optional<Part> withoutFirstTask() {
    return firstTask == lastTask
        ? Optional.empty()
        : Optional.of(new Part(record, firstTask + 1, lastTask, startByte, endByte));
  }

  long bytes() {
    return endByte - startByte;
  }

  boolean isLiveAt(long task) {
    return firstTask <= task && task <= lastTask;
  }

  /** Splits a lifetime at its gaps, of which only the windows remain. */
  private static void addParts(List<Part> parts, int index, TensorUsageRecord record) {
    long from = record.firstTask();
    for (Gap gap : record.gaps()) {
      addUnlessEmpty(parts, new Part(index, from, gap.firstTask() - 1, 0, record.bytes()));
      addUnlessEmpty(
          parts,
          new Part(index, gap.firstTask(), gap.lastTask(), gap.windowStart(), gap.windowEnd()));
      if (gap.lastTask() == record.lastTask()) {
        return;
      }
      from = gap.lastTask() + 1;
    }
    addUnlessEmpty(parts, new Part(index, from, record.lastTask(), 0, record.bytes()));
  }

  private static void addUnlessEmpty(List<Part> parts, Part part) {
    if (part.firstTask <= part.lastTask && part.startByte < part.endByte) {
      parts.add(part);
    }
  }
}
