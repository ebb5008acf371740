package dev.stowage.core.plan.time;

import java.util.PriorityQueue;
import java.util.function.IntConsumer;

/**
 * Walks records in the order of their first tasks and says which have ended before each.
 *
 * <p>Ties are in input order. What ends is reported by last task, then by the number that it was
 * begun with. A walk costs O(n log n).
 */
public final class ByFirstTask {

  private record Live(long lastTask, int number) implements Comparable<Live> {

    @Override
    public int compareTo(Live other) {
      int byLastTask = Long.compare(lastTask, other.lastTask);
      return byLastTask != 0 ? byLastTask : Integer.compare(number, other.number);
    }
  }

  private final PriorityQueue<Live> live = new PriorityQueue<>();

  /** Reports, and forgets, everything that ended before {@code firstTask}. */
  public void expire(long firstTask, IntConsumer ended) {
    for (Live next = live.peek(); next != null && next.lastTask < firstTask; next = live.peek()) {
      live.remove();
      ended.accept(next.number);
    }
  }

  /** Notes that {@code number}, an object or a record, is in use up to {@code lastTask}. */
  public void begin(long lastTask, int number) {
    live.add(new Live(lastTask, number));
  }
}
