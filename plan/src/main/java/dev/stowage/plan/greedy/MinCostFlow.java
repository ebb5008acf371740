package dev.stowage.plan.greedy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.planner.ComparisonLimit;
import dev.stowage.plan.planner.ObjectsPlanner;
import dev.stowage.plan.time.ExpiryQueue;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The strategy that finds chains of records for the same object by a minimum-cost flow.
 *
 * <p>From TensorFlow Lite's GPU delegate; Lee et al., "On-Device Neural Net Inference with Mobile
 * GPUs" (2019). The shortest-path search visits edges in the order of the reference, which
 * determines the result if there are several flows of least cost.
 */
public final class MinCostFlow implements ObjectsPlanner {

  /** O(n³) in the worst case: about a second at this limit. */
  @Override
  public boolean isSlow() {
    return true;
  }

  @Override
  public ComparisonLimit objectsComparisonLimit() {
    return ComparisonLimit.ofRecords(1_000);
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    List<TensorUsageRecord> records = problem.records();
    int[] order = IndexOrder.ascending(records.size(), i -> records.get(i).firstTask());
    return new Flow(records, order, new StepCounter(stop)).plan();
  }

  /** The flow network. It numbers the records in the order of their first tasks. */
  private static final class Flow {

    /*
     * Each record i has a left and a right vertex. One unit flows into each right vertex, which
     * gives the record its memory, and on to the sink:
     *
     *   source -> right i            cost: bytes[i]                      i starts an object
     *   source -> left r -> right i  cost: max(0, bytes[i] - bytes[r])   i follows r in its object
     *
     * The edge left r -> right i exists if r ends before i starts. The records are sorted by first
     * task, so these are all i from some record on, and edges need no memory. The successor of each
     * left vertex and the predecessor of each right vertex describe the whole flow.
     *
     * Costs of successive cheapest paths never decrease. A search therefore ends when it finds a
     * path of the same cost as the last one: later relaxations cannot change it. Most paths cost
     * nothing and consist of one edge between records. A scan finds these; see findFreePath().
     */

    private static final int NONE = -1;

    private final int[] order;
    private final int count;
    private final long[] bytes;

    /** For each left vertex, the first right vertex that its edges lead to. */
    private final int[] firstFollower;

    /** The left vertices by ascending first follower. */
    private final int[] byFirstFollower;

    private final int source;
    private final int sink;

    /** The record that follows each record in its object. */
    private final int[] successor;

    /** The record that precedes each record in its object. */
    private final int[] predecessor;

    /** True for the first record of each object. */
    private final boolean[] startsObject;

    private final long[] distances;

    /** The vertex before each one on its path, or NONE if it is not reached. */
    private final int[] previous;

    /** The last round that queued each vertex: a round queues a vertex at most once. */
    private final int[] queuedInRound;

    private int[] current;
    private int[] next;
    private int nextCount;
    private int round;

    /** The distances of the right vertices that are not the shortest ones yet. */
    private final FlowDistances followers;

    /** The cost of the last path, which is a lower bound of the next one. */
    private long lastCost;

    private final StepCounter steps;

    Flow(List<TensorUsageRecord> records, int[] order, StepCounter steps) {
      this.steps = steps;
      this.order = order;
      count = order.length;
      bytes = Arrays.stream(order).mapToLong(i -> records.get(i).bytes()).toArray();
      firstFollower = firstFollowers(records, order);
      byFirstFollower = IndexOrder.ascending(count, r -> firstFollower[r]);
      followers = new FlowDistances(bytes);
      source = 2 * count;
      sink = 2 * count + 1;
      successor = new int[count];
      Arrays.fill(successor, NONE);
      predecessor = new int[count];
      Arrays.fill(predecessor, NONE);
      startsObject = new boolean[count];
      distances = new long[2 * count + 2];
      previous = new int[2 * count + 2];
      queuedInRound = new int[2 * count + 2];
      current = new int[2 * count + 2];
      next = new int[2 * count + 2];
    }

    /** {@return the first record that starts after each record ends} */
    private static int[] firstFollowers(List<TensorUsageRecord> records, int[] order) {
      int[] firstFollower = new int[order.length];
      Arrays.fill(firstFollower, order.length);
      ExpiryQueue live = new ExpiryQueue();
      for (int i = 0; i < order.length; i++) {
        int follower = i;
        live.expireBefore(
            records.get(order[i]).firstTask(), ended -> firstFollower[ended] = follower);
        live.add(records.get(order[i]).lastTask(), i);
      }
      return firstFollower;
    }

    ObjectsAssignment plan() {
      while (findFreePath() || findCheapestPath()) {
        pushOneUnit();
      }
      return chains();
    }

    /**
     * Finds the path without cost that {@link #findCheapestPath} finds in its second round, and
     * {@return true if there is one}
     *
     * <p>The round visits a record's vertices after the vertices of all its possible predecessors.
     * The path ends at a record without memory: at the first one of no bytes, or after a large
     * enough record. Of the large enough records, the path uses the first one.
     */
    private boolean findFreePath() {
      if (lastCost > 0) {
        return false;
      }
      steps.check(2L * count);
      long most = -1;
      for (int i = 0, ended = 0; i < count; i++) {
        for (; ended < count && firstFollower[byFirstFollower[ended]] <= i; ended++) {
          int r = byFirstFollower[ended];
          most = successor[r] == NONE ? Math.max(most, bytes[r]) : most;
        }
        if (!hasMemory(i) && (bytes[i] == 0 || most >= bytes[i])) {
          previous[sink] = count + i;
          previous[count + i] = bytes[i] == 0 ? source : firstFreeBefore(i);
          if (previous[count + i] != source) {
            previous[previous[count + i]] = source;
          }
          return true;
        }
      }
      return false;
    }

    /** {@return the first record without a successor that is large enough for {@code follower}} */
    private int firstFreeBefore(int follower) {
      int r = 0;
      while (successor[r] != NONE || firstFollower[r] > follower || bytes[r] < bytes[follower]) {
        r++;
      }
      return r;
    }

    /**
     * Finds a shortest path with the queue-based Bellman-Ford algorithm and {@return true if the
     * sink is reachable}
     *
     * <p>An equal distance does not replace a path.
     */
    private boolean findCheapestPath() {
      Arrays.fill(previous, NONE);
      followers.clear();
      distances[source] = 0;
      current[0] = source;
      for (int currentCount = 1; currentCount > 0; currentCount = nextCount) {
        round++;
        nextCount = 0;
        for (int k = 0; k < currentCount; k++) {
          relaxFrom(current[k]);
          if (previous[sink] != NONE && distances[sink] == lastCost) {
            return true;
          }
        }
        int[] done = current;
        current = next;
        next = done;
      }
      lastCost = distances[sink];
      return previous[sink] != NONE;
    }

    private void relaxFrom(int vertex) {
      steps.check(vertex < count ? 64 : 2);
      if (vertex == source) {
        relaxFromSource();
      } else if (vertex == sink) {
        relaxFromSink();
      } else if (vertex < count) {
        relaxFromLeft(vertex);
      } else {
        relaxFromRight(vertex - count);
      }
    }

    private void relaxFromSource() {
      for (int i = 0; i < count; i++) {
        if (successor[i] == NONE) {
          relax(source, i, 0);
        }
        if (!startsObject[i]) {
          relax(source, count + i, bytes[i]);
        }
      }
    }

    private void relaxFromSink() {
      for (int i = 0; i < count; i++) {
        if (hasMemory(i)) {
          relax(sink, count + i, 0);
        }
      }
    }

    private void relaxFromLeft(int r) {
      followers.forEachFarther(
          firstFollower[r],
          distances[r],
          bytes[r],
          i -> {
            if (successor[r] != i) {
              relax(r, count + i, Math.max(0, bytes[i] - bytes[r]));
            }
          });
    }

    private void relaxFromRight(int i) {
      if (!hasMemory(i)) {
        relax(count + i, sink, 0);
      }
      int r = predecessor[i];
      if (r != NONE) {
        relax(count + i, r, -Math.max(0, bytes[i] - bytes[r]));
      }
    }

    /** {@return true if a unit flows into the right vertex of a record} */
    private boolean hasMemory(int record) {
      return startsObject[record] || predecessor[record] != NONE;
    }

    private void relax(int from, int to, long cost) {
      long distance = distances[from] + cost;
      // A distance can be as large as 2^63 - 1, the most bytes of a problem.
      if (previous[to] == NONE || distance < distances[to]) {
        distances[to] = distance;
        previous[to] = from;
        if (count <= to && to < source) {
          followers.set(to - count, distance);
        }
        if (queuedInRound[to] != round) {
          queuedInRound[to] = round;
          next[nextCount++] = to;
        }
      }
    }

    /** Augments the flow along the path found: its used edges become free, its free ones used. */
    private void pushOneUnit() {
      for (int to = previous[sink]; to != source; ) {
        int from = previous[to];
        if (from == source && to >= count) {
          startsObject[to - count] = true;
          predecessor[to - count] = NONE;
        } else if (from < count) {
          successor[from] = to - count;
          predecessor[to - count] = from;
        }
        to = from;
      }
    }

    /** {@return the assignment of one object to each chain of successors} */
    private ObjectsAssignment chains() {
      int[] objectIds = new int[count];
      ObjectList objects = new ObjectList();
      for (int first = 0; first < count; first++) {
        if (startsObject[first]) {
          int object = objects.add(0);
          for (int i = first; i != NONE; i = successor[i]) {
            objectIds[order[i]] = object;
            objects.growTo(object, bytes[i]);
          }
        }
      }
      return ObjectsAssignment.of(objectIds, objects.toArray());
    }
  }
}
