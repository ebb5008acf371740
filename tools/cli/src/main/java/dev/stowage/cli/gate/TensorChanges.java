package dev.stowage.cli.gate;

import dev.stowage.cli.gate.TensorChange.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The records of an input, each with its record in the baseline, and the changes between them. */
final class TensorChanges {

  /*
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

  private final TensorPairs pairs;
  private final List<BaselineRecord> now;

  TensorChanges(List<BaselineRecord> before, List<BaselineRecord> now) {
    this.now = now;
    pairs = new TensorPairs(before, now);
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
        peak.stream().flatMap(record -> pairs.before(record).stream()).toList();
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
    Optional<BaselineRecord> known = pairs.before(record);
    if (known.isEmpty()) {
      return record.size() == 0
          ? Optional.empty()
          : Optional.of(new TensorChange(Kind.NEW, record, 0, 0, record.size()));
    }
    BaselineRecord before = known.get();
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
