package dev.stowage.plan.greedy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.time.PositionalMaximums;
import java.util.Arrays;
import java.util.List;

/**
 * Assigns objects to records by size and, among records of similar size, by distance in time.
 *
 * <p>"Greedy by Size Improved" in Pisarchyk and Lee, "Efficient Memory Management for Deep Neural
 * Net Inference" (2020); from TensorFlow Lite's GPU delegate.
 */
final class SizeDistanceObjects {

  /*
   * Each step assigns the record with the least (position, distance, -bytes, index):
   *
   *   position  the index of the last positional maximum that is at least the record's size;
   *   distance  the number of tasks to the nearest record of the record's best object so far;
   *             infinite if it needs a new object.
   *
   * The reference stores a distance for every pair of a record and an object, and visits all of
   * them in each step. Here, the records are assigned position by position. When a position begins,
   * ObjectHistory finds the best objects of its records. After that, a step visits only records of
   * the position for which the best object can change.
   */

  private final List<TensorUsageRecord> records;
  private final int[] positions;
  private final ListHeads heads = new ListHeads();
  private final StepCounter steps;

  /**
   * Creates a planner for one plan.
   *
   * @param steps counts the visited records and objects
   */
  SizeDistanceObjects(PlanProblem problem, StepCounter steps) {
    this.steps = steps;
    records = problem.records();
    positions =
        positions(
            PositionalMaximums.of(problem),
            records.stream().mapToLong(TensorUsageRecord::bytes).toArray());
  }

  /** {@return the index of the last maximum that is at least as large, for each size} */
  private static int[] positions(long[] maximums, long[] bytes) {
    int[] positions = new int[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      int low = 0;
      int high = maximums.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (maximums[middle] >= bytes[i]) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      positions[i] = low - 1;
    }
    return positions;
  }

  ObjectsAssignment plan() {
    int[] bySize = IndexOrder.descending(records.size(), i -> records.get(i).bytes());
    int[] order = IndexOrder.ascending(bySize.length, k -> positions[bySize[k]]);
    Arrays.setAll(order, k -> bySize[order[k]]);
    int[] objectIds = new int[order.length];
    ObjectList sizes = new ObjectList();
    FreeObjects objects = new FreeObjects(records);
    for (int from = 0, to; from < order.length; from = to) {
      to = from + 1;
      while (to < order.length && positions[order[to]] == positions[order[from]]) {
        to++;
      }
      assign(Arrays.copyOfRange(order, from, to), objectIds, sizes, objects);
    }
    return ObjectsAssignment.of(objectIds, sizes.toArray());
  }

  /** Assigns the records of one position. */
  private void assign(int[] similar, int[] objectIds, ObjectList sizes, FreeObjects objects) {
    long[] firstTasks = Arrays.stream(similar).mapToLong(i -> records.get(i).firstTask()).toArray();
    long[] lastTasks = Arrays.stream(similar).mapToLong(i -> records.get(i).lastTask()).toArray();
    SimilarRecords unassigned = new SimilarRecords(firstTasks, lastTasks, objects, heads, steps);
    for (int k = 0; k < similar.length; k++) {
      int next = unassigned.remove();
      int object = unassigned.bestObject(next);
      if (object == SimilarRecords.NONE) {
        object = objects.add();
        sizes.add(0);
      }
      unassigned.update(next, object);
      objects.assign(object, similar[next]);
      sizes.growTo(object, records.get(similar[next]).bytes());
      objectIds[similar[next]] = object;
    }
  }
}
