package dev.stowage.plan;

import dev.stowage.plan.base.BitMatrix;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The pairs of records that may share memory in every execution order.
 *
 * <p>A {@link UsageGraph} computes such a graph. {@link #of} accepts a graph that the caller
 * computed, as TensorFlow Lite's GPU delegate does. A graph of n records takes n² / 8 bytes.
 */
public final class ReallocationGraph implements ReuseGraph {

  private final BitMatrix pairs;

  /** Creates a graph that keeps {@code pairs}, a symmetric matrix with a clear diagonal. */
  ReallocationGraph(BitMatrix pairs) {
    this.pairs = pairs;
  }

  /**
   * {@return a graph of given pairs}
   *
   * @param partners for each record, in the problem's order, the indices of the records that it may
   *     share memory with
   * @throws IllegalArgumentException if an index is negative or {@code >= partners.size()}, a
   *     record is its own partner or lists a partner that does not list the record, or there are
   *     more than 200,000 records
   */
  public static ReallocationGraph of(List<List<Integer>> partners) {
    return of(UsageGraph.arrays(partners));
  }

  /**
   * {@return a graph of given pairs}
   *
   * @param partners as in {@link #of(List)}
   * @throws IllegalArgumentException as for {@link #of(List)}
   */
  public static ReallocationGraph of(int[][] partners) {
    UsageGraph.checkIndices("reallocation_graph", partners);
    BitMatrix pairs = new BitMatrix(partners.length);
    for (int i = 0; i < partners.length; i++) {
      for (int partner : partners[i]) {
        pairs.set(i, partner);
      }
    }
    for (int i = 0; i < partners.length; i++) {
      for (int partner : partners[i]) {
        if (!pairs.get(partner, i)) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "reallocation_graph[%d] contains record %d, but reallocation_graph[%d] does not"
                      + " contain record %d; expected a symmetric graph",
                  i,
                  partner,
                  partner,
                  i));
        }
      }
    }
    return new ReallocationGraph(pairs);
  }

  @Override
  public int recordCount() {
    return pairs.count();
  }

  @Override
  public ReallocationGraph reallocationGraph() {
    return this;
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
   * {@return 64 records as bits, set for those that a record may share memory with}
   *
   * @param record an index into the problem's records
   * @param word the index of the 64 bits; the lowest bit stands for record {@code 64 * word}
   */
  public long partnerBits(int record, int word) {
    return pairs.word(record, word);
  }

  /** {@return the graph of some records, numbered in the order of {@code records}} */
  ReallocationGraph subset(List<Integer> records) {
    BitMatrix some = new BitMatrix(records.size());
    for (int i = 0; i < records.size(); i++) {
      for (int j = 0; j < records.size(); j++) {
        if (pairs.get(records.get(i), records.get(j))) {
          some.set(i, j);
        }
      }
    }
    return new ReallocationGraph(some);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReallocationGraph that && pairs.equals(that.pairs);
  }

  @Override
  public int hashCode() {
    return pairs.hashCode();
  }

  @Override
  public String toString() {
    int[][] partners = new int[recordCount()][];
    Arrays.setAll(partners, this::partners);
    return "ReallocationGraph" + Arrays.deepToString(partners);
  }
}
