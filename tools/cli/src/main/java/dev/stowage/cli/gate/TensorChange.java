package dev.stowage.cli.gate;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A record that is new, larger or live longer than in the baseline.
 *
 * @param record the record as it is now
 * @param before the record in the baseline; empty if the record is new
 */
record TensorChange(BaselineRecord record, Optional<BaselineRecord> before) {

  private static final Comparator<TensorChange> HEAVIEST_FIRST =
      Comparator.comparingLong(TensorChange::weight)
          .reversed()
          .thenComparingLong(change -> change.record.firstTask())
          .thenComparing(change -> change.record.name());

  /**
   * {@return the changes at the peak, the heaviest first; if there are none, the changes of all
   * records}
   *
   * @param peak the records that are live at the peak
   */
  static List<TensorChange> between(
      List<BaselineRecord> before, List<BaselineRecord> now, List<BaselineRecord> peak) {
    List<TensorChange> changes =
        new TensorPairs(before, now)
            .all().stream()
                .filter(pair -> pair.now().isPresent())
                .map(pair -> new TensorChange(pair.now().get(), pair.before()))
                .filter(change -> change.weight() > 0)
                .sorted(HEAVIEST_FIRST)
                .toList();
    Set<BaselineRecord> live = new HashSet<>(peak);
    List<TensorChange> atPeak =
        changes.stream().filter(change -> live.contains(change.record)).toList();
    return atPeak.isEmpty() ? changes : atPeak;
  }

  long sizeBefore() {
    return before.map(BaselineRecord::size).orElse(0L);
  }

  /** {@return the tasks that the record is live longer; 0 for a new record} */
  long moreTasks() {
    return before
        .map(known -> Math.max(0, record.furtherTasks() - known.furtherTasks()))
        .orElse(0L);
  }

  /** {@return the size by which the change can make a plan larger} */
  private long weight() {
    return moreTasks() > 0 ? record.size() : record.size() - sizeBefore();
  }
}
