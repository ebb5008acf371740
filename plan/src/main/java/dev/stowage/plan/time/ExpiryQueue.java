package dev.stowage.plan.time;

import java.util.PriorityQueue;
import java.util.function.IntConsumer;

/**
 * A queue of live records or objects, for a sweep over the records by first task.
 *
 * <p>Entries leave in the order of their last tasks, and of their ids if these are equal. Each
 * operation takes O(log n) time for each entry added or removed.
 */
public final class ExpiryQueue {

  private record Entry(long lastTask, int id) implements Comparable<Entry> {

    @Override
    public int compareTo(Entry other) {
      int byLastTask = Long.compare(lastTask, other.lastTask);
      return byLastTask != 0 ? byLastTask : Integer.compare(id, other.id);
    }
  }

  private final PriorityQueue<Entry> entries = new PriorityQueue<>();

  /** Removes all entries with a last task before {@code task}, and passes their ids on. */
  public void expireBefore(long task, IntConsumer expired) {
    for (Entry next = entries.peek(); next != null && next.lastTask < task; next = entries.peek()) {
      entries.remove();
      expired.accept(next.id);
    }
  }

  /** Adds an entry that is live up to {@code lastTask}, inclusive. */
  public void add(long lastTask, int id) {
    entries.add(new Entry(lastTask, id));
  }
}
