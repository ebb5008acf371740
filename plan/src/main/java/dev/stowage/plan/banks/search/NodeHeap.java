package dev.stowage.plan.banks.search;

import java.util.Arrays;

/** A binary heap of nodes by distance; a node may be in it several times. */
final class NodeHeap {

  private final long[] distance;
  private long[] keys = new long[64];
  private int[] nodes = new int[64];
  private int count;

  /** Creates an empty heap. */
  NodeHeap(long[] distance) {
    this.distance = distance;
  }

  boolean isEmpty() {
    return count == 0;
  }

  void clear() {
    count = 0;
  }

  /** Adds a node with its current distance; of equal distances, the lower node comes first. */
  void add(int node) {
    if (count == nodes.length) {
      keys = Arrays.copyOf(keys, 2 * count);
      nodes = Arrays.copyOf(nodes, 2 * count);
    }
    int at = count++;
    long key = distance[node];
    while (at > 0 && isBefore(key, node, (at - 1) / 2)) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    keys[at] = key;
    nodes[at] = node;
  }

  /** Removes the node with the smallest distance and {@return the node} */
  int poll() {
    int first = nodes[0];
    count--;
    long key = keys[count];
    int node = nodes[count];
    int at = 0;
    while (2 * at + 1 < count) {
      int child = 2 * at + 1;
      if (child + 1 < count && isBefore(keys[child + 1], nodes[child + 1], child)) {
        child++;
      }
      if (!isBefore(keys[child], nodes[child], key, node)) {
        break;
      }
      move(child, at);
      at = child;
    }
    keys[at] = key;
    nodes[at] = node;
    return first;
  }

  private boolean isBefore(long key, int node, int at) {
    return isBefore(key, node, keys[at], nodes[at]);
  }

  private static boolean isBefore(long key, int node, long otherKey, int otherNode) {
    return key < otherKey || (key == otherKey && node < otherNode);
  }

  private void move(int source, int target) {
    keys[target] = keys[source];
    nodes[target] = nodes[source];
  }
}
