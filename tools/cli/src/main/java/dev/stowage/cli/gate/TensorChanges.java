package dev.stowage.cli.gate;

import dev.stowage.cli.gate.TensorChange.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The records of an input, each with its record in the baseline, and the changes between them. */
final class TensorChanges {

  /*
   * A record has the same name in the baseline. If several records have a name, the first one
   * corresponds to the first one. A record whose name is not in the baseline was renamed if a record
   * of the baseline with the same size and length is left.
   *
   * The records that are live at a peak now were live at different moments in the baseline. Of
   * these moments, the one with the most bytes of them is compared with the peak. The growth from
   * that moment is at most the sum of the weights of new records, larger records, and records that
   * were not live then.
   */

  private static final Comparator<TensorChange> HEAVIEST_FIRST =
      Comparator.comparingLong(TensorChange::weight)
          .reversed()
          .thenComparing(TensorChange::kind)
          .thenComparingLong(change -> change.record().firstTask())
          .thenComparing(change -> change.record().name());

  /**
   * The records of the baseline, by the records of the input; none for new ones. Records with equal
   * properties are different keys.
   */
  private final IdentityHashMap<BaselineRecord, BaselineRecord> befores = new IdentityHashMap<>();

  private final List<BaselineRecord> now;

  TensorChanges(List<BaselineRecord> before, List<BaselineRecord> now) {
    this.now = now;
    Map<String, Deque<BaselineRecord>> byName = new HashMap<>();
    for (BaselineRecord record : before) {
      byName.computeIfAbsent(record.name(), _ -> new ArrayDeque<>()).add(record);
    }
    List<BaselineRecord> unknown = new ArrayList<>();
    for (BaselineRecord record : now) {
      Deque<BaselineRecord> same = byName.getOrDefault(record.name(), new ArrayDeque<>());
      if (same.isEmpty()) {
        unknown.add(record);
      } else {
        befores.put(record, same.remove());
      }
    }
    findRenamed(unknown, byName.values());
  }

  private void findRenamed(
      List<BaselineRecord> unknown, Collection<Deque<BaselineRecord>> unusedByName) {
    Map<List<Long>, Deque<BaselineRecord>> unused = new HashMap<>();
    unusedByName.stream()
        .flatMap(Collection::stream)
        .sorted(Comparator.comparingLong(BaselineRecord::firstTask))
        .forEach(
            record -> unused.computeIfAbsent(outline(record), _ -> new ArrayDeque<>()).add(record));
    for (BaselineRecord record : unknown) {
      Deque<BaselineRecord> same = unused.getOrDefault(outline(record), new ArrayDeque<>());
      if (!same.isEmpty()) {
        befores.put(record, same.remove());
      }
    }
  }

  private static List<Long> outline(BaselineRecord record) {
    return List.of(record.size(), record.furtherTasks());
  }

  /**
   * {@return the changes of the records at some peaks, the heaviest first; if there are none, those
   * of all records}
   *
   * @param peaks the records that are live at each peak
   */
  List<TensorChange> at(List<List<BaselineRecord>> peaks) {
    IdentityHashMap<BaselineRecord, TensorChange> changes = new IdentityHashMap<>();
    for (List<BaselineRecord> peak : peaks) {
      OptionalLong moment = OptionalLong.of(fullestTask(peak));
      peak.forEach(record ->
          change(record, moment).ifPresent(change -> changes.putIfAbsent(record, change)));
    }
    if (changes.isEmpty()) {
      now.forEach(record ->
          change(record, OptionalLong.empty()).ifPresent(change -> changes.put(record, change)));
    }
    return changes.values().stream().sorted(HEAVIEST_FIRST).toList();
  }

  /** {@return the task of the baseline at which the most bytes of some records were live} */
  private long fullestTask(List<BaselineRecord> peak) {
    List<BaselineRecord> known =
        peak.stream().flatMap(record -> Stream.ofNullable(befores.get(record))).toList();
    List<long[]> steps = new ArrayList<>(); // the task, and the bytes that start or end there
    for (BaselineRecord record : known) {
      steps.add(new long[] {record.firstTask(), record.size()});
      if (record.lastTask() < Long.MAX_VALUE) {
        steps.add(new long[] {record.lastTask() + 1, -record.size()});
      }
    }
    steps.sort(
        Comparator.comparingLong((long[] step) -> step[0]).thenComparingLong(step -> step[1]));
    long live = 0;
    long most = -1;
    long task = 0;
    for (long[] step : steps) {
      live += step[1];
      if (live > most) {
        most = live;
        task = step[0];
      }
    }
    return task;
  }

  /**
   * {@return the change of a record}
   *
   * @param moment the task of the baseline to compare with, if there is one
   */
  private Optional<TensorChange> change(BaselineRecord record, OptionalLong moment) {
    BaselineRecord before = befores.get(record);
    if (before == null) {
      return record.size() == 0
          ? Optional.empty()
          : Optional.of(new TensorChange(Kind.NEW, record, 0, 0, record.size()));
    }
    long moreTasks = Math.max(0, record.furtherTasks() - before.furtherTasks());
    boolean wasLive =
        moment.isPresent()
            ? before.firstTask() <= moment.getAsLong() && moment.getAsLong() <= before.lastTask()
            : moreTasks == 0;
    long weight = wasLive ? record.size() - before.size() : record.size();
    if (weight <= 0) {
      return Optional.empty();
    }
    Kind kind =
        record.size() > before.size() ? Kind.LARGER : moreTasks > 0 ? Kind.LONGER : Kind.TOGETHER;
    return Optional.of(new TensorChange(kind, record, before.size(), moreTasks, weight));
  }
}
