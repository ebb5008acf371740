package dev.stowage.core.plan;

import java.util.PriorityQueue;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Walks records in the order of their first tasks and says which have ended before each.
 *
 * <p>Ties are in input order. What ends is reported by last task, then by the number that it was
 * begun with. A walk costs O(n log n).
 */
final class ByFirstTask {

  private record Live(long lastTask, int number) implements Comparable<Live> {

    @Override
    public int compareTo(Live other) {
      int byLastTask = Long.compare(lastTask, other.lastTask);
      return byLastTask != 0 ? byLastTask : Integer.compare(number, other.number);
    }
  }

  private final PriorityQueue<Live> live = new PriorityQueue<>();

  /** {@return the indices of {@code count} records, stably sorted by first task} */
  static int[] order(int count, IntToLongFunction firstTask) {
    for (int i = 1; i < count; i++) {
      if (firstTask.applyAsLong(i - 1) > firstTask.applyAsLong(i)) {
        return IntStream.range(0, count)
            .boxed()
            .sorted((a, b) -> Long.compare(firstTask.applyAsLong(a), firstTask.applyAsLong(b)))
            .mapToInt(Integer::intValue)
            .toArray();
      }
    }
    return IntStream.range(0, count).toArray();
  }

  /** Reports, and forgets, everything that ended before {@code firstTask}. */
  void expire(long firstTask, IntConsumer ended) {
    for (Live next = live.peek(); next != null && next.lastTask < firstTask; next = live.peek()) {
      live.remove();
      ended.accept(next.number);
    }
  }

  /** Notes that {@code number}, an object or a record, is in use up to {@code lastTask}. */
  void begin(long lastTask, int number) {
    live.add(new Live(lastTask, number));
  }
}
