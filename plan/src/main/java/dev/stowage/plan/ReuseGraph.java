package dev.stowage.plan;

import dev.stowage.plan.base.BitMatrix;
import dev.stowage.plan.text.Message;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The records that may share memory if tasks may run in another order than their numbers.
 *
 * <p>Without a graph, records may share memory if their lifetimes have no task in common. With one,
 * the graph must permit it as well. Such a plan is valid in every order that the graph allows.
 *
 * <p>The names come from TensorFlow Lite's GPU delegate. A <em>usage graph</em> has an edge from a
 * tensor to each tensor computed from it. A <em>reallocation graph</em> has the pairs of tensors
 * that may share memory in every order. A usage graph permits the pairs that follow from its edges.
 * A graph of n records takes n² / 8 bytes.
 */
public final class ReuseGraph {

  /** The edges of a usage graph. */
  private final Optional<int[][]> dependents;

  /** A symmetric matrix with a clear diagonal. */
  private final BitMatrix pairs;

  private ReuseGraph(Optional<int[][]> dependents, BitMatrix pairs) {
    this.dependents = dependents;
    this.pairs = pairs;
  }

  /**
   * {@return a usage graph}
   *
   * <p>A tensor may reuse the memory of another one if it is reachable by at least one edge from
   * every direct dependent of the other: all tasks that read the other have then ended. No tensor
   * reuses the memory of a tensor without dependents. TensorFlow Lite's GPU delegate has the same
   * rule. Costs O(m · n / 64) time for n records and m edges.
   *
   * @param dependents for each record, in the problem's order, the indices of the records that
   *     directly depend on it
   * @throws IllegalArgumentException if an index is negative or {@code >= dependents.size()}, a
   *     record depends on itself, the edges form a cycle, or there are more than 200,000 records
   */
  public static ReuseGraph ofUsage(List<List<Integer>> dependents) {
    return ofUsage(arrays(dependents));
  }

  /**
   * {@return a usage graph}
   *
   * @param dependents as for {@link #ofUsage(List)}
   * @throws IllegalArgumentException as for {@link #ofUsage(List)}
   */
  public static ReuseGraph ofUsage(int[][] dependents) {
    int[][] edges = Arrays.stream(dependents).map(int[]::clone).toArray(int[][]::new);
    checkIndices("usage_graph", edges);
    return new ReuseGraph(Optional.of(edges), UsageGraph.pairs(edges));
  }

  /**
   * {@return a reallocation graph, which the caller computed}
   *
   * @param partners for each record, in the problem's order, the indices of the records that it may
   *     share memory with
   * @throws IllegalArgumentException if an index is negative or {@code >= partners.size()}, a
   *     record is its own partner or lists a partner that does not list the record, or there are
   *     more than 200,000 records
   */
  public static ReuseGraph ofReallocation(List<List<Integer>> partners) {
    return ofReallocation(arrays(partners));
  }

  /**
   * {@return a reallocation graph, which the caller computed}
   *
   * @param partners as for {@link #ofReallocation(List)}
   * @throws IllegalArgumentException as for {@link #ofReallocation(List)}
   */
  public static ReuseGraph ofReallocation(int[][] partners) {
    checkIndices("reallocation_graph", partners);
    BitMatrix pairs = new BitMatrix(partners.length);
    for (int i = 0; i < partners.length; i++) {
      for (int partner : partners[i]) {
        pairs.set(i, partner);
      }
    }
    for (int i = 0; i < partners.length; i++) {
      for (int partner : partners[i]) {
        if (!pairs.get(partner, i)) {
          throw Message.illegalArgument(
              "reallocation_graph[%d] contains record %d, but reallocation_graph[%d] does not"
                  + " contain record %d; expected a symmetric graph",
              i, partner, partner, i);
        }
      }
    }
    return new ReuseGraph(Optional.empty(), pairs);
  }

  private static int[][] arrays(List<List<Integer>> lists) {
    return lists.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  /** Throws unless each list contains only indices of other lists. */
  private static void checkIndices(String name, int[][] lists) {
    for (int i = 0; i < lists.length; i++) {
      for (int index : lists[i]) {
        if (index < 0 || index >= lists.length) {
          throw Message.illegalArgument(
              "%s[%d] contains record %d, but there %s, expected 0%s",
              name,
              i,
              index,
              lists.length == 1 ? "is 1 record" : "are " + lists.length + " records",
              lists.length == 1 ? "" : " to " + (lists.length - 1));
        }
        if (index == i) {
          throw Message.illegalArgument(
              "%s[%d] contains record %d itself, expected other records", name, i, index);
        }
      }
    }
  }

  /** {@return the number of records in the graph} */
  public int recordCount() {
    return pairs.count();
  }

  /**
   * {@return true for a usage graph}
   *
   * <p>"May follow" is then transitive: if a record may follow another one, it may also follow all
   * records that the other one may follow.
   */
  public boolean isUsageGraph() {
    return dependents.isPresent();
  }

  /**
   * {@return the indices of the records that directly depend on a record}
   *
   * @param record an index into the problem's records
   * @throws IllegalStateException if this is not a usage graph
   */
  public int[] dependents(int record) {
    return dependents
        .orElseThrow(() -> new IllegalStateException("a reallocation graph has no dependents"))[
        record]
        .clone();
  }

  /**
   * {@return true if the graph permits two records to share memory}
   *
   * <p>Their lifetimes may still have a task in common.
   *
   * @param first an index into the problem's records
   * @param second an index into the problem's records
   */
  public boolean mayShare(int first, int second) {
    return pairs.get(first, second);
  }

  /**
   * {@return the indices of the records that a record may share memory with, ascending}
   *
   * @param record an index into the problem's records
   */
  public int[] partners(int record) {
    return pairs.row(record);
  }

  /**
   * {@return 64 records as bits: a bit is set if the record may share memory with that record}
   *
   * @param record an index into the problem's records
   * @param word the index of the 64 bits; the lowest bit stands for record {@code 64 * word}
   */
  public long partnerBits(int record, int word) {
    return pairs.word(record, word);
  }

  /** {@return the reallocation graph of the same pairs} */
  public ReuseGraph reallocationGraph() {
    return new ReuseGraph(Optional.empty(), pairs);
  }

  /** {@return the reallocation graph of some records, numbered in the order of {@code records}} */
  ReuseGraph subset(List<Integer> records) {
    BitMatrix some = new BitMatrix(records.size());
    for (int i = 0; i < records.size(); i++) {
      for (int j = 0; j < records.size(); j++) {
        if (pairs.get(records.get(i), records.get(j))) {
          some.set(i, j);
        }
      }
    }
    return new ReuseGraph(Optional.empty(), some);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReuseGraph that
        && pairs.equals(that.pairs)
        && Arrays.deepEquals(dependents.orElse(null), that.dependents.orElse(null));
  }

  @Override
  public int hashCode() {
    return pairs.hashCode();
  }

  @Override
  public String toString() {
    if (dependents.isPresent()) {
      return "UsageGraph" + Arrays.deepToString(dependents.get());
    }
    int[][] partners = new int[recordCount()][];
    Arrays.setAll(partners, this::partners);
    return "ReallocationGraph" + Arrays.deepToString(partners);
  }
}
