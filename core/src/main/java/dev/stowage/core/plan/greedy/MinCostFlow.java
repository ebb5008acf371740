package dev.stowage.core.plan.greedy;

import dev.stowage.core.plan.ObjectsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.IndexOrder;
import dev.stowage.core.plan.base.StepCounter;
import dev.stowage.core.plan.spi.ComparisonLimit;
import dev.stowage.core.plan.spi.ObjectsPlanner;
import dev.stowage.core.plan.time.ExpiryQueue;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Chains of records, one after the other in the same object, by a flow of least cost.
 *
 * <p>From TensorFlow Lite's GPU delegate; Lee et al., On-Device Neural Net Inference with Mobile
 * GPUs (2019). Which of several cheapest flows is taken follows from the order in which the
 * reference's shortest-path search visits edges, so that order is kept here.
 */
public final class MinCostFlow implements ObjectsPlanner {

  /** O(n³) at worst: this many take about a second. */
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

  /** The network; records are numbered by their position in the order of first tasks. */
  private static final class Flow {

    /*
     * A record i has two vertices. One unit flows into each right vertex, meaning that the record
     * gets its memory, and on to the sink:
     *
     *   source -> right i           cost: the record's bytes      a new object
     *   source -> left r -> right i cost: what i is larger by     i follows r in r's object
     *
     * The edge left r -> right i exists where r ends before i starts. As records are in the order
     * of first tasks, these are all i from some record on, so the edges need no memory: one
     * successor for each left and one predecessor for each right vertex is the whole flow.
     */

    private static final long UNREACHED = Long.MAX_VALUE;
    private static final int NONE = -1;

    private final int[] order;
    private final int count;
    private final long[] bytes;

    /** For each left vertex the first right vertex that it has an edge to. */
    private final int[] firstFollower;

    private final int source;
    private final int sink;

    /** The flow: who follows and precedes whom, and which records open an object. */
    private final int[] successor;

    private final int[] predecessor;
    private final boolean[] opens;

    private final long[] distances;
    private final int[] previous;

    /** The search works in rounds; a vertex waits for the next round at most once. */
    private final int[] queuedInRound;

    private int[] current;
    private int[] next;
    private int nextCount;
    private int round;
    private final StepCounter steps;

    Flow(List<TensorUsageRecord> records, int[] order, StepCounter steps) {
      this.steps = steps;
      this.order = order;
      count = order.length;
      bytes = Arrays.stream(order).mapToLong(i -> records.get(i).bytes()).toArray();
      firstFollower = firstFollowers(records, order);
      source = 2 * count;
      sink = 2 * count + 1;
      successor = new int[count];
      Arrays.fill(successor, NONE);
      predecessor = new int[count];
      Arrays.fill(predecessor, NONE);
      opens = new boolean[count];
      distances = new long[2 * count + 2];
      previous = new int[2 * count + 2];
      queuedInRound = new int[2 * count + 2];
      current = new int[2 * count + 2];
      next = new int[2 * count + 2];
    }

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
      while (findCheapestPath()) {
        pushOneUnit();
      }
      return chains();
    }

    /** Level by level, first in, first out; an equal distance does not replace. */
    private boolean findCheapestPath() {
      Arrays.fill(distances, UNREACHED);
      distances[source] = 0;
      current[0] = source;
      for (int currentCount = 1; currentCount > 0; currentCount = nextCount) {
        round++;
        nextCount = 0;
        for (int k = 0; k < currentCount; k++) {
          relaxFrom(current[k]);
        }
        int[] done = current;
        current = next;
        next = done;
      }
      return distances[sink] != UNREACHED;
    }

    private void relaxFrom(int vertex) {
      steps.check(vertex < count ? 1L + count - firstFollower[vertex] : 2);
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
        if (!opens[i]) {
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
      for (int i = firstFollower[r]; i < count; i++) {
        if (successor[r] != i) {
          relax(r, count + i, Math.max(0, bytes[i] - bytes[r]));
        }
      }
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

    private boolean hasMemory(int record) {
      return opens[record] || predecessor[record] != NONE;
    }

    private void relax(int from, int to, long cost) {
      long distance = distances[from] + cost;
      if (distance < distances[to]) {
        distances[to] = distance;
        previous[to] = from;
        if (queuedInRound[to] != round) {
          queuedInRound[to] = round;
          next[nextCount++] = to;
        }
      }
    }

    /** Turns the edges of the path found around: used ones become free, free ones used. */
    private void pushOneUnit() {
      for (int to = previous[sink]; to != source; ) {
        int from = previous[to];
        if (from == source && to >= count) {
          opens[to - count] = true;
          predecessor[to - count] = NONE;
        } else if (from < count) {
          successor[from] = to - count;
          predecessor[to - count] = from;
        }
        to = from;
      }
    }

    private ObjectsAssignment chains() {
      int[] objectIds = new int[count];
      ObjectList objects = new ObjectList();
      for (int first = 0; first < count; first++) {
        if (opens[first]) {
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
