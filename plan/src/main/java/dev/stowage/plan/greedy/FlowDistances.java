package dev.stowage.plan.greedy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The distances of records in a flow network, with a search for distances that another path
 * shortens.
 */
final class FlowDistances {

  /*
   * A path to a record r of b bytes at distance d makes the path to a following record i shorter if
   * d + max(0, bytes[i] - b) < distance[i]. That is, distance[i] > d and distance[i] - bytes[i] > d - b.
   * A segment tree has the maximums of both left sides for each node. Most paths have the distance 0,
   * and do not shorten other paths of this distance, so that these have a maximum of their own.
   */

  private final long[] bytes;
  private final int leaves;
  private final long[] distances;
  private final long[] differences;

  /** The differences of records with positive distances. */
  private final long[] positive;

  /** Creates distances that are all infinite. */
  FlowDistances(long[] bytes) {
    this.bytes = bytes;
    leaves = Integer.highestOneBit(Math.max(1, 2 * bytes.length - 1));
    distances = new long[2 * leaves];
    differences = new long[2 * leaves];
    positive = new long[2 * leaves];
    clear();
  }

  /** Sets all distances to infinity. */
  void clear() {
    Arrays.fill(distances, Long.MIN_VALUE);
    Arrays.fill(distances, leaves, leaves + bytes.length, Long.MAX_VALUE);
    for (int node = leaves - 1; node > 0; node--) {
      distances[node] = distances[2 * node];
    }
    System.arraycopy(distances, 0, differences, 0, distances.length);
    System.arraycopy(distances, 0, positive, 0, distances.length);
  }

  /** Shortens the distance of a record: O(log n). */
  void set(int record, long distance) {
    int node = leaves + record;
    distances[node] = distance;
    differences[node] = distance - bytes[record];
    positive[node] = distance > 0 ? differences[node] : Long.MIN_VALUE;
    while (node > 1 && refresh(node >> 1)) {
      node >>= 1;
    }
  }

  /** Computes the maximums of an inner node and {@return true if one of them changed} */
  private boolean refresh(int node) {
    boolean isChanged = setMaximum(distances, node);
    isChanged |= setMaximum(differences, node);
    isChanged |= setMaximum(positive, node);
    return isChanged;
  }

  private static boolean setMaximum(long[] values, int node) {
    long before = values[node];
    values[node] = Math.max(values[2 * node], values[2 * node + 1]);
    return values[node] != before;
  }

  /**
   * Passes on each record from {@code from} on that is nearer by way of another record, in
   * ascending order.
   *
   * <p>The consumer may shorten the distance of the record that it gets.
   *
   * @param distance the distance of the other record
   * @param otherBytes its size
   */
  void forEachFarther(int from, long distance, long otherBytes, IntConsumer records) {
    // An infinite distance is larger than any other.
    long least = Math.min(distance, Long.MAX_VALUE - 1);
    long[] farther = distance < 0 ? differences : positive;
    visit(1, 0, leaves, from, least, farther, least - otherBytes, records);
  }

  /** Visits a node, which has the records {@code [low, low + width)}. */
  private void visit(
      int node,
      int low,
      int width,
      int from,
      long distance,
      long[] farther,
      long difference,
      IntConsumer records) {
    if (distances[node] <= distance || farther[node] <= difference || low + width <= from) {
      return;
    }
    if (width == 1) {
      records.accept(low);
      return;
    }
    visit(2 * node, low, width / 2, from, distance, farther, difference, records);
    visit(2 * node + 1, low + width / 2, width / 2, from, distance, farther, difference, records);
  }
}
