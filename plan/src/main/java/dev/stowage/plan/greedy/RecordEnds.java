package dev.stowage.plan.greedy;

import dev.stowage.plan.base.IndexOrder;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** Records, sorted by their first or by their last tasks. */
final class RecordEnds {

  private final int[] records;
  private final long[] tasks;
  private final int[] places;

  private RecordEnds(int[] records, long[] tasks, int[] places) {
    this.records = records;
    this.tasks = tasks;
    this.places = places;
  }

  /**
   * {@return the records from 0 to {@code count - 1}}
   *
   * @param task the first task of a record, or its last one
   */
  static RecordEnds of(int count, IntToLongFunction task) {
    int[] records = IndexOrder.ascending(count, task);
    int[] places = new int[count];
    for (int place = 0; place < count; place++) {
      places[records[place]] = place;
    }
    return new RecordEnds(records, Arrays.stream(records).mapToLong(task).toArray(), places);
  }

  int record(int place) {
    return records[place];
  }

  long task(int place) {
    return tasks[place];
  }

  int placeOf(int record) {
    return places[record];
  }

  /** {@return the number of records with a task up to {@code task}; they have the first places} */
  int countUpTo(long task) {
    int low = 0;
    int high = tasks.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tasks[middle] <= task) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
