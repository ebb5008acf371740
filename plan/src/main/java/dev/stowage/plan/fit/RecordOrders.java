package dev.stowage.plan.fit;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.IndexOrder;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/**
 * The orders of placement that the searches use.
 *
 * <p>Each order is lexicographic by descending keys; ties are broken by index. The peak of a record
 * is the largest sum of live bytes during its lifetime. A class is a power of two.
 */
public final class RecordOrders {

  private final int count;
  private final IntToLongFunction peak;
  private final IntToLongFunction bytes;
  private final IntToLongFunction tasks;
  private final IntToLongFunction start;
  private final IntToLongFunction tasksClass;
  private final IntToLongFunction bytesClass;
  private final IntPredicate hasHint;

  /** Creates the orders of a problem with the peaks and spans of {@code fit}. */
  public RecordOrders(PlanProblem problem, OrderedFit fit) {
    count = problem.records().size();
    long[] peaks = fit.peaks();
    long[] spans = fit.spans();
    peak = i -> peaks[i];
    bytes = i -> problem.records().get(i).bytes();
    tasks = i -> spans[i];
    start = i -> -problem.records().get(i).firstTask();
    tasksClass = i -> Long.highestOneBit(spans[i]);
    bytesClass = i -> Long.highestOneBit(problem.records().get(i).bytes());
    hasHint = i -> problem.records().get(i).hint().isPresent();
  }

  /** {@return the records with a hint first, then by peak, tasks and bytes} */
  public int[] byHint() {
    return by(i -> hasHint.test(i) ? 1 : 0, peak, tasks, bytes);
  }

  public int[] byPeakAndTasks() {
    return by(peak, tasks, bytes);
  }

  public int[] byPeakAndBytes() {
    return by(peak, bytes);
  }

  public int[] byPeakAndBytesLastFirst() {
    return by(peak, bytes, i -> i);
  }

  public int[] byBytesClass() {
    return by(bytesClass, start);
  }

  public int[] byTasksClass() {
    return by(tasksClass, start, bytes);
  }

  private int[] by(IntToLongFunction... keys) {
    int[] order = IndexOrder.ascending(count, i -> i);
    for (int k = keys.length - 1; k >= 0; k--) {
      int[] sorted = order;
      IntToLongFunction key = keys[k];
      int[] positions = IndexOrder.descending(count, position -> key.applyAsLong(sorted[position]));
      order = Arrays.stream(positions).map(position -> sorted[position]).toArray();
    }
    return order;
  }
}
