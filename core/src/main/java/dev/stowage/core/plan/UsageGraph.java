package dev.stowage.core.plan;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which tensors directly depend on which: an edge from a tensor to each one computed from it.
 *
 * <p>Where tasks may run in another order than that of their numbers, a record's lifetime is not
 * enough to say that its memory is free. The {@linkplain #reallocationGraph() reallocation graph}
 * then says which pairs may share memory in whatever order.
 */
public final class UsageGraph {

  private final int[][] dependents;

  private UsageGraph(int[][] dependents) {
    this.dependents = dependents;
  }

  /**
   * {@return a graph}
   *
   * @param dependents for each record, in the problem's order, the indices of the records that
   *     directly depend on it
   * @throws IllegalArgumentException if an index is negative or {@code >= dependents.size()}
   */
  public static UsageGraph of(List<List<Integer>> dependents) {
    int[][] edges = new int[dependents.size()][];
    for (int i = 0; i < edges.length; i++) {
      edges[i] = dependents.get(i).stream().mapToInt(Integer::intValue).toArray();
      for (int dependent : edges[i]) {
        if (dependent < 0 || dependent >= edges.length) {
          throw new IllegalArgumentException(
              "usage_graph[%d] names record %d, but there are %d records"
                  .formatted(i, dependent, edges.length));
        }
      }
    }
    return new UsageGraph(edges);
  }

  /** {@return how many records the graph is of} */
  public int recordCount() {
    return dependents.length;
  }

  /**
   * {@return the indices of the records that directly depend on a record}
   *
   * @param record an index into the problem's records
   */
  public int[] dependents(int record) {
    return dependents[record].clone();
  }

  /**
   * {@return the graph of the pairs that may share an object in every execution order; symmetric,
   * each list ascending}
   *
   * <p>A tensor may follow another when it can be reached, over at least one edge, from every
   * direct dependent of the other: then the other has been used up. A tensor that nothing depends
   * on is never followed. Costs O(n · m) time for n records and m edges. From TensorFlow Lite's GPU
   * delegate.
   */
  public UsageGraph reallocationGraph() {
    BitSet[] pairs = new BitSet[dependents.length];
    Arrays.setAll(pairs, i -> new BitSet());
    for (int root = 0; root < dependents.length; root++) {
      if (dependents[root].length == 0) {
        continue;
      }
      BitSet followers = reachableFrom(dependents[root][0]);
      for (int k = 1; k < dependents[root].length && !followers.isEmpty(); k++) {
        followers.and(reachableFrom(dependents[root][k]));
      }
      for (int v = followers.nextSetBit(0); v >= 0; v = followers.nextSetBit(v + 1)) {
        pairs[root].set(v);
        pairs[v].set(root);
      }
    }
    int[][] edges = new int[dependents.length][];
    Arrays.setAll(edges, i -> pairs[i].stream().toArray());
    return new UsageGraph(edges);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UsageGraph that && Arrays.deepEquals(dependents, that.dependents);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(dependents);
  }

  @Override
  public String toString() {
    return "UsageGraph" + Arrays.deepToString(dependents);
  }

  /** {@return whether there is an edge; the lists are ascending, as in a reallocation graph} */
  boolean hasEdge(int from, int to) {
    return Arrays.binarySearch(dependents[from], to) >= 0;
  }

  /** {@return the records reached from {@code start} over at least one edge} */
  private BitSet reachableFrom(int start) {
    BitSet reached = new BitSet(dependents.length);
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    queue.add(start);
    while (!queue.isEmpty()) {
      for (int next : dependents[queue.remove()]) {
        if (!reached.get(next)) {
          reached.set(next);
          queue.add(next);
        }
      }
    }
    return reached;
  }
}
