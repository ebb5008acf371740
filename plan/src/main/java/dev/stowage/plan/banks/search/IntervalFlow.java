package dev.stowage.plan.banks.search;

import dev.stowage.plan.base.StepCounter;
import java.util.Arrays;

/**
 * The most profitable way to keep intervals in a store of limited capacity, as a flow of minimum
 * cost that is updated after each change of a profit.
 *
 * <p>An interval may be kept in part. A change costs O(a log a) for each shortest path, where a is
 * the number of arcs that are closer than the end of the path.
 */
final class IntervalFlow {

  /*
   * Node t is the time before rank t. The capacity of rank t is a flow from node t to node t + 1,
   * which has the following arcs:
   *
   *   kept      an interval from its first rank to the node after its last one, for its units, at a
   *             cost of minus its profit;
   *   free      the unused capacity of rank t, at cost 0, at most maxFree(t) units;
   *   overflow  units of rank t that violate maxFree(t), each at a high cost.
   *
   *   node 0 ----free----> 1 ----free----> 2 ----free----> 3
   *        \___________kept__________________/^
   *                          \________kept_______________/^
   *
   * The units that enter or leave at a node are the differences of the capacities. The coefficients
   * of an interval are equal at all of its ranks, so the flow is exactly the linear relaxation.
   *
   * An arc u -> v of the residual network has reduced cost `cost + potential(u) - potential(v)`:
   *
   *   N4  the reduced cost of every residual arc is at least 0, so that the flow is optimal;
   *   N5  the flow through each rank is its capacity.
   *
   * Changing a profit may violate N4 for one interval. Its cycles of negative cost are found by
   * Dijkstra's algorithm, and filled, until none is left. Successive shortest paths: Ahuja, Magnanti
   * and Orlin, "Network Flows" (1993), chapter 9.
   */

  private static final int FREE = 0;
  private static final int OVERFLOW = 1;
  private static final int FREE_BACK = 2;
  private static final int OVERFLOW_BACK = 3;
  private static final int KEPT = 4;
  private static final int KEPT_BACK = 5;
  private static final int KIND_BITS = 3;

  private final int ranks;
  private final int[] from;
  private final int[] to;
  private final long[] units;
  private final long[] profit;
  private final boolean[] isActive;
  private final long[] flow;
  private final long[] maxFree;
  private final long[] free;
  private final long[] overflow;
  private final long overflowCost;
  private final long[] potential;
  private final StepCounter steps;

  /** The intervals that start at a node: {@code leaving[leavingStart[t]]} and so on. */
  private final int[] leaving;

  private final int[] leavingStart;
  private final int[] entering;
  private final int[] enteringStart;

  private final long[] distance;
  private final int[] arc;
  private final boolean[] isSettled;
  private final int[] touched;
  private int touchedCount;
  private final NodeHeap heap;

  /**
   * Creates a flow that keeps no interval.
   *
   * @param from the first rank of each interval
   * @param to the rank after the last one of each interval
   * @param units the size of each interval
   * @param capacity the capacity of each rank
   * @param maxFree the largest number of units that may be unused at each rank
   * @param overflowCost the cost of each further unused unit; above the sum of all profits
   */
  IntervalFlow(
      int[] from,
      int[] to,
      long[] units,
      long[] capacity,
      long[] maxFree,
      long overflowCost,
      StepCounter steps) {
    this.from = from;
    this.to = to;
    this.units = units;
    this.maxFree = maxFree;
    this.overflowCost = overflowCost;
    this.steps = steps;
    ranks = capacity.length;
    profit = new long[units.length];
    isActive = new boolean[units.length];
    flow = new long[units.length];
    free = new long[ranks];
    overflow = new long[ranks];
    potential = new long[ranks + 1];
    for (int t = 0; t < ranks; t++) {
      free[t] = Math.min(capacity[t], maxFree[t]);
      overflow[t] = capacity[t] - free[t];
      potential[t + 1] = potential[t] + (overflow[t] > 0 ? overflowCost : 0);
    }
    leavingStart = new int[ranks + 2];
    leaving = sortedBy(from, leavingStart);
    enteringStart = new int[ranks + 2];
    entering = sortedBy(to, enteringStart);
    distance = new long[ranks + 1];
    arc = new int[ranks + 1];
    isSettled = new boolean[ranks + 1];
    touched = new int[ranks + 1];
    heap = new NodeHeap(distance);
    Arrays.fill(distance, Long.MAX_VALUE);
  }

  private static int[] sortedBy(int[] nodes, int[] start) {
    for (int node : nodes) {
      start[node + 1]++;
    }
    for (int node = 1; node < start.length; node++) {
      start[node] += start[node - 1];
    }
    int[] next = start.clone();
    int[] sorted = new int[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      sorted[next[nodes[i]]++] = i;
    }
    return sorted;
  }

  /**
   * Sets the profit of an interval for each unit, and makes the flow optimal again.
   *
   * @throws java.util.concurrent.CancellationException if the search must stop; the prices are then
   *     those of a flow that is not optimal
   */
  void setProfit(int interval, long newProfit) {
    profit[interval] = newProfit;
    isActive[interval] = true;
    long reduced = -newProfit + potential[from[interval]] - potential[to[interval]];
    while (reduced < 0 && flow[interval] < units[interval]) {
      long moved = shortestPath(to[interval], from[interval], -reduced);
      if (moved < -reduced) {
        push(to[interval], from[interval], interval, units[interval] - flow[interval], 1);
      }
      reduced += moved;
    }
    while (reduced > 0 && flow[interval] > 0) {
      long moved = shortestPath(from[interval], to[interval], reduced);
      if (moved < reduced) {
        push(from[interval], to[interval], interval, flow[interval], -1);
      }
      reduced -= moved;
    }
  }

  /**
   * Finds a shortest path by reduced costs and changes the potentials so that its arcs have reduced
   * cost 0.
   *
   * @param limit paths of at least this length are not needed
   * @return the length of the path, at most the limit
   */
  private long shortestPath(int source, int target, long limit) {
    reach(source, 0, -1);
    long length = limit;
    while (!heap.isEmpty()) {
      int node = heap.poll();
      if (isSettled[node]) {
        continue;
      }
      if (distance[node] >= limit) {
        break;
      }
      isSettled[node] = true;
      if (node == target) {
        length = distance[node];
        break;
      }
      scan(node);
    }
    for (int k = 0; k < touchedCount; k++) {
      int node = touched[k];
      if (isSettled[node] && distance[node] < length) {
        potential[node] -= length - distance[node];
      }
      isSettled[node] = false;
      distance[node] = Long.MAX_VALUE;
    }
    touchedCount = 0;
    heap.clear();
    return length;
  }

  private void scan(int node) {
    int degree =
        leavingStart[node + 1] - leavingStart[node] + enteringStart[node + 1] - enteringStart[node];
    steps.check(16L + degree);
    if (node < ranks) {
      if (free[node] < maxFree[node]) {
        relax(node, node + 1, 0, FREE, node);
      } else {
        relax(node, node + 1, overflowCost, OVERFLOW, node);
      }
    }
    if (node > 0) {
      int rank = node - 1;
      if (overflow[rank] > 0) {
        relax(node, rank, -overflowCost, OVERFLOW_BACK, rank);
      } else if (free[rank] > 0) {
        relax(node, rank, 0, FREE_BACK, rank);
      }
    }
    for (int k = leavingStart[node]; k < leavingStart[node + 1]; k++) {
      int i = leaving[k];
      if (isActive[i] && flow[i] < units[i]) {
        relax(node, to[i], -profit[i], KEPT, i);
      }
    }
    for (int k = enteringStart[node]; k < enteringStart[node + 1]; k++) {
      int i = entering[k];
      if (flow[i] > 0) {
        relax(node, from[i], profit[i], KEPT_BACK, i);
      }
    }
  }

  private void relax(int node, int next, long cost, int kind, int index) {
    if (!isSettled[next]) {
      long length = distance[node] + cost + potential[node] - potential[next];
      if (length < distance[next]) {
        reach(next, length, kind | (index << KIND_BITS));
      }
    }
  }

  private void reach(int node, long length, int by) {
    if (distance[node] == Long.MAX_VALUE) {
      touched[touchedCount++] = node;
    }
    distance[node] = length;
    arc[node] = by;
    heap.add(node);
  }

  /** Fills the cycle of an interval and the path that was found last. */
  private void push(int source, int target, int interval, long most, int sign) {
    long pushed = most;
    for (int node = target; node != source; node = tail(arc[node])) {
      pushed = Math.min(pushed, residual(arc[node]));
    }
    for (int node = target; node != source; node = tail(arc[node])) {
      fill(arc[node], pushed);
    }
    flow[interval] += sign * pushed;
  }

  private int tail(int by) {
    int index = by >> KIND_BITS;
    return switch (by & ((1 << KIND_BITS) - 1)) {
      case FREE, OVERFLOW -> index;
      case FREE_BACK, OVERFLOW_BACK -> index + 1;
      case KEPT -> from[index];
      default -> to[index];
    };
  }

  private long residual(int by) {
    int index = by >> KIND_BITS;
    return switch (by & ((1 << KIND_BITS) - 1)) {
      case FREE -> maxFree[index] - free[index];
      case OVERFLOW -> Long.MAX_VALUE;
      case FREE_BACK -> free[index];
      case OVERFLOW_BACK -> overflow[index];
      case KEPT -> units[index] - flow[index];
      default -> flow[index];
    };
  }

  private void fill(int by, long pushed) {
    int index = by >> KIND_BITS;
    switch (by & ((1 << KIND_BITS) - 1)) {
      case FREE -> free[index] += pushed;
      case OVERFLOW -> overflow[index] += pushed;
      case FREE_BACK -> free[index] -= pushed;
      case OVERFLOW_BACK -> overflow[index] -= pushed;
      case KEPT -> flow[index] += pushed;
      default -> flow[index] -= pushed;
    }
  }

  /** {@return the units of an interval that are kept} */
  long kept(int interval) {
    return flow[interval];
  }

  /** {@return the price of one unit of capacity at a rank, which may be negative} */
  long price(int rank) {
    return potential[rank] - potential[rank + 1];
  }

  /** {@return the price of one unit of capacity at all ranks from a first one to before an end} */
  long price(int first, int end) {
    return potential[first] - potential[end];
  }

  /** {@return true if more units are unused at some rank than the rank permits} */
  boolean hasOverflow() {
    return Arrays.stream(overflow).anyMatch(bytes -> bytes > 0);
  }

  /**
   * Checks N4 and N5.
   *
   * @param capacity the capacity of each rank
   * @throws AssertionError if one of them does not hold
   */
  void checkInvariants(long[] capacity) {
    long[] through = new long[ranks];
    for (int i = 0; i < units.length; i++) {
      long reduced = -profit[i] + potential[from[i]] - potential[to[i]];
      if (isActive[i] && ((reduced < 0 && flow[i] < units[i]) || (reduced > 0 && flow[i] > 0))) {
        throw new AssertionError("N4 interval " + i + " has reduced cost " + reduced);
      }
      for (int t = from[i]; t < to[i]; t++) {
        through[t] += flow[i];
      }
    }
    for (int t = 0; t < ranks; t++) {
      if (through[t] + free[t] + overflow[t] != capacity[t]) {
        throw new AssertionError("N5 the flow through rank " + t + " is not its capacity");
      }
      long price = price(t);
      if ((free[t] < maxFree[t] && price < 0)
          || (free[t] > 0 && price > 0)
          || price < -overflowCost
          || (overflow[t] > 0 && price != -overflowCost)) {
        throw new AssertionError("N4 rank " + t + " has price " + price);
      }
    }
  }
}
