package dev.stowage.plan;

import dev.stowage.plan.text.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The rules for the pairs of {@link PlanProblem#withInPlace}. */
final class InPlacePairs {

  private static final int NONE = -1;

  private final List<TensorUsageRecord> records;

  /** The source of each record, or {@link #NONE}. */
  private final int[] sources;

  private InPlacePairs(List<TensorUsageRecord> records) {
    this.records = records;
    sources = new int[records.size()];
    Arrays.fill(sources, NONE);
  }

  /**
   * {@return the pairs by ascending record}
   *
   * @throws IllegalArgumentException if the records violate a rule
   */
  static List<InPlace> checked(List<TensorUsageRecord> records, List<InPlace> pairs) {
    if (pairs.isEmpty()) {
      return List.of();
    }
    InPlacePairs rules = new InPlacePairs(records);
    pairs.forEach(rules::add);
    rules.checkCycles();
    return pairs.stream().sorted(Comparator.comparingInt(InPlace::record)).toList();
  }

  /** {@return the pairs of two chosen records, with their indices among the chosen ones} */
  static List<InPlace> subset(List<InPlace> pairs, List<Integer> indices, int recordCount) {
    if (pairs.isEmpty()) {
      return List.of();
    }
    int[] chosen = new int[recordCount];
    Arrays.fill(chosen, NONE);
    for (int i = 0; i < indices.size(); i++) {
      chosen[indices.get(i)] = i;
    }
    List<InPlace> subset = new ArrayList<>();
    for (InPlace pair : pairs) {
      if (chosen[pair.record()] != NONE && chosen[pair.source()] != NONE) {
        subset.add(new InPlace(chosen[pair.record()], chosen[pair.source()]));
      }
    }
    return subset;
  }

  private void add(InPlace pair) {
    checkIndex("record", pair.record());
    checkIndex("source", pair.source());
    TensorUsageRecord record = records.get(pair.record());
    TensorUsageRecord source = records.get(pair.source());
    if (pair.record() == pair.source()) {
      throw new IllegalArgumentException(
          record.label(pair.record()) + " must not be in place of itself");
    }
    if (sources[pair.record()] != NONE) {
      throw Message.illegalArgument(
          "%s must be in place of at most one record: %d and %d",
          record.label(pair.record()), sources[pair.record()], pair.source());
    }
    if (source.lastTask() != record.firstTask()) {
      throw Message.illegalArgument(
          "%s is in place of %s, so its first task must be the last task of %s: first task=%d, last task=%d",
          record.label(pair.record()),
          source.label(pair.source()),
          source.label(pair.source()),
          record.firstTask(),
          source.lastTask());
    }
    sources[pair.record()] = pair.source();
  }

  private void checkIndex(String name, int index) {
    if (index < 0 || index >= records.size()) {
      throw Message.illegalArgument(
          "a pair of records in place must have indices below the number of records: %s=%d, records=%d",
          name, index, records.size());
    }
  }

  /** Throws if a record is in place of itself by way of others, all live at a single task. */
  private void checkCycles() {
    int[] visitedFrom = new int[sources.length];
    Arrays.fill(visitedFrom, NONE);
    for (int start = 0; start < sources.length; start++) {
      int record = start;
      while (record != NONE && visitedFrom[record] == NONE) {
        visitedFrom[record] = start;
        record = sources[record];
      }
      if (record != NONE && visitedFrom[record] == start && sources[record] != NONE) {
        throw new IllegalArgumentException(
            records.get(record).label(record) + " must not be in place of itself by way of others");
      }
    }
  }
}
