package dev.stowage.plan.greedy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.time.PositionalMaximums;
import dev.stowage.plan.time.TaskRanks;
import java.util.ArrayList;
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
   * A step changes the distances to one object only, so it is one pass over the unassigned records.
   * A record that loses its best object visits all other objects; a short lifetime first marks the
   * busy ones, which are most of them. The reference stores a distance for every pair of a record
   * and an object. Here, the sorted lifetimes of each object provide it, in O(n) space.
   */

  private static final long NO_DISTANCE = ObjectLifetimes.NONE;

  private final int count;
  private final long[] bytes;
  private final long[] firstTasks;
  private final long[] lastTasks;

  private final int[] positions;
  private final long[] bestDistances;
  private final int[] bestObjects;

  private final int[] firstRanks;
  private final int[] lastRanks;
  private final AssignedObjects assigned;
  private final ObjectList objects = new ObjectList();
  private final List<ObjectLifetimes> lifetimes = new ArrayList<>();
  private final StepCounter steps;

  /**
   * Creates a planner for one plan.
   *
   * @param steps counts the visited records and objects
   */
  SizeDistanceObjects(PlanProblem problem, StepCounter steps) {
    this.steps = steps;
    List<TensorUsageRecord> records = problem.records();
    count = records.size();
    bytes = records.stream().mapToLong(TensorUsageRecord::bytes).toArray();
    firstTasks = records.stream().mapToLong(TensorUsageRecord::firstTask).toArray();
    lastTasks = records.stream().mapToLong(TensorUsageRecord::lastTask).toArray();
    positions = positions(PositionalMaximums.of(problem), bytes);
    bestDistances = new long[count];
    Arrays.fill(bestDistances, NO_DISTANCE);
    bestObjects = new int[count];
    Arrays.fill(bestObjects, -1);
    TaskRanks ranks = TaskRanks.of(problem);
    firstRanks = Arrays.stream(firstTasks).mapToInt(ranks::ofFirst).toArray();
    lastRanks = Arrays.stream(lastTasks).mapToInt(ranks::ofLast).toArray();
    assigned = new AssignedObjects(ranks.count(), count);
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
    int[] objectIds = new int[count];
    int[] unassigned = new int[count];
    Arrays.setAll(unassigned, i -> i);
    for (int unassignedCount = count; unassignedCount > 0; unassignedCount--) {
      steps.check(4L * unassignedCount);
      int next = remove(positionOfNext(unassigned, unassignedCount), unassigned, unassignedCount);
      boolean isNew = bestDistances[next] == NO_DISTANCE;
      int object = isNew ? addObject(next) : bestObjects[next];
      objectIds[next] = object;
      for (int k = 0; k < unassignedCount - 1; k++) {
        update(unassigned[k], next, object);
      }
      objects.growTo(object, bytes[next]);
      lifetimes.get(object).add(firstTasks[next], lastTasks[next]);
      assigned.add(firstRanks[next], lastRanks[next], object);
    }
    return ObjectsAssignment.of(objectIds, objects.toArray());
  }

  /** {@return the position in {@code unassigned} of the record to assign next} */
  private int positionOfNext(int[] unassigned, int unassignedCount) {
    int next = 0;
    for (int k = 1; k < unassignedCount; k++) {
      if (comesBefore(unassigned[k], unassigned[next])) {
        next = k;
      }
    }
    return next;
  }

  /** {@return true if record {@code a} is assigned before {@code b}; false if they are equal} */
  private boolean comesBefore(int a, int b) {
    if (positions[a] != positions[b]) {
      return positions[a] < positions[b];
    }
    if (bestDistances[a] != bestDistances[b]) {
      return bestDistances[a] < bestDistances[b];
    }
    return bytes[a] > bytes[b];
  }

  /** Removes a record, keeps the order of the others and {@return the record} */
  private static int remove(int position, int[] unassigned, int unassignedCount) {
    int removed = unassigned[position];
    System.arraycopy(
        unassigned, position + 1, unassigned, position, unassignedCount - position - 1);
    return removed;
  }

  private int addObject(int record) {
    lifetimes.add(new ObjectLifetimes());
    return objects.add(bytes[record]);
  }

  /** Updates the best object of {@code record} before {@code placed} joins {@code object}. */
  private void update(int record, int placed, int object) {
    long distance;
    if (lastTasks[record] < firstTasks[placed]) {
      distance = firstTasks[placed] - lastTasks[record];
    } else if (lastTasks[placed] < firstTasks[record]) {
      distance = firstTasks[record] - lastTasks[placed];
    } else {
      if (bestObjects[record] == object) {
        findBest(record, object);
      }
      return;
    }
    // At an equal distance, the object found first stays.
    if (distance < bestDistances[record]
        && !lifetimes.get(object).conflicts(firstTasks[record], lastTasks[record])) {
      bestDistances[record] = distance;
      bestObjects[record] = object;
    }
  }

  /** Finds the nearest object except {@code excluded}; of equal ones, the lowest id. */
  private void findBest(int record, int excluded) {
    steps.check(64L * lifetimes.size());
    bestDistances[record] = NO_DISTANCE;
    // Marking visits each rank of the lifetime. For a long lifetime, testing all objects is faster.
    boolean isMarked = lastRanks[record] - firstRanks[record] < objects.count();
    if (isMarked) {
      assigned.markBusy(firstRanks[record], lastRanks[record]);
    }
    for (int object = 0; object < lifetimes.size(); object++) {
      if (object != excluded && !(isMarked && assigned.isBusy(object))) {
        long distance = lifetimes.get(object).distance(firstTasks[record], lastTasks[record]);
        if (distance < bestDistances[record]) {
          bestDistances[record] = distance;
          bestObjects[record] = object;
        }
      }
    }
  }
}
