package dev.stowage.plan;

import dev.stowage.plan.base.BitMatrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The direct dependencies of tensors: an edge leads from a tensor to each tensor computed from it.
 *
 * <p>If tasks may run in an order other than that of their numbers, lifetimes alone do not show
 * which records may share memory. The {@linkplain #reallocationGraph() reallocation graph} contains
 * the pairs that may share memory in every order.
 */
public final class UsageGraph implements ReuseGraph {

  /*
   * Record y may follow record x in the same bytes if x has dependents, and y is reachable from each
   * of them by at least one edge: every task that reads x has then ended before y is computed. "May
   * follow" is a strict partial order. It is computed for a strip of columns at a time, so that only
   * one strip of the reachable records is in memory besides the result:
   *
   *   reached(x) = union of {d} and reached(d) over the dependents d of x
   *   follow(x)  = intersection of reached(d) over the dependents d of x
   */

  /** Number of words of each row that are computed at a time. */
  private static final int STRIP_WORDS = 8;

  /** Maximum number of records of a cycle that a message names. */
  private static final int MAX_SHOWN_RECORDS = 8;

  private final int[][] dependents;

  private final ReallocationGraph reallocationGraph;

  private UsageGraph(int[][] dependents) {
    this.dependents = dependents;
    reallocationGraph = new ReallocationGraph(pairs(dependents, order(dependents)));
  }

  /**
   * {@return a graph with the given edges}
   *
   * <p>Costs O(m · n / 64) time for n records and m edges, and n² / 8 bytes for the {@linkplain
   * #reallocationGraph() pairs that may share memory}.
   *
   * @param dependents for each record, in the problem's order, the indices of the records that
   *     directly depend on it
   * @throws IllegalArgumentException if an index is negative or {@code >= dependents.size()}, a
   *     record depends on itself, the edges form a cycle, or there are more than 200,000 records
   */
  public static UsageGraph of(List<List<Integer>> dependents) {
    return ofArrays(arrays(dependents));
  }

  /**
   * {@return a graph with the given edges}
   *
   * @param dependents as in {@link #of(List)}
   * @throws IllegalArgumentException as for {@link #of(List)}
   */
  public static UsageGraph of(int[][] dependents) {
    return ofArrays(Arrays.stream(dependents).map(int[]::clone).toArray(int[][]::new));
  }

  private static UsageGraph ofArrays(int[][] dependents) {
    checkIndices("usage_graph", dependents);
    return new UsageGraph(dependents);
  }

  /** {@return the lists as arrays} */
  static int[][] arrays(List<List<Integer>> lists) {
    return lists.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  /** Throws unless each list contains only indices of other lists. */
  static void checkIndices(String name, int[][] lists) {
    for (int i = 0; i < lists.length; i++) {
      for (int index : lists[i]) {
        if (index < 0 || index >= lists.length) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "%s[%d] contains record %d, but there %s, expected 0%s",
                  name,
                  i,
                  index,
                  lists.length == 1 ? "is 1 record" : "are " + lists.length + " records",
                  lists.length == 1 ? "" : " to " + (lists.length - 1)));
        }
        if (index == i) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "%s[%d] contains record %d itself, expected other records",
                  name,
                  i,
                  index));
        }
      }
    }
  }

  /** {@return a topological order of the records: each before its dependents; Kahn's algorithm} */
  private static int[] order(int[][] dependents) {
    int[] inDegrees = new int[dependents.length];
    for (int[] list : dependents) {
      for (int dependent : list) {
        inDegrees[dependent]++;
      }
    }
    int[] order = new int[dependents.length];
    int count = 0;
    for (int i = 0; i < inDegrees.length; i++) {
      if (inDegrees[i] == 0) {
        order[count++] = i;
      }
    }
    for (int k = 0; k < count; k++) {
      for (int dependent : dependents[order[k]]) {
        if (--inDegrees[dependent] == 0) {
          order[count++] = dependent;
        }
      }
    }
    if (count < order.length) {
      throw new IllegalArgumentException(cycle(dependents, inDegrees));
    }
    return order;
  }

  /** {@return a message that names a cycle among records with a positive in-degree} */
  private static String cycle(int[][] dependents, int[] inDegrees) {
    int[] source = new int[inDegrees.length];
    for (int i = 0; i < inDegrees.length; i++) {
      for (int dependent : dependents[i]) {
        if (inDegrees[i] > 0) {
          source[dependent] = i;
        }
      }
    }
    // Each of these records depends on another one, so a walk against the edges ends in a cycle.
    int start = 0;
    while (inDegrees[start] == 0) {
      start++;
    }
    for (int step = 0; step < inDegrees.length; step++) {
      start = source[start];
    }
    List<Integer> cycle = new ArrayList<>(List.of(start));
    for (int i = source[start]; i != start; i = source[i]) {
      cycle.add(i);
    }
    cycle.add(start);
    String path =
        cycle.reversed().stream()
            .limit(MAX_SHOWN_RECORDS)
            .map(i -> Integer.toString(i))
            .collect(Collectors.joining(" -> "));
    return String.format(
        Locale.ROOT,
        "the usage graph has a cycle: records %s%s; expected each record to depend on earlier ones",
        path,
        cycle.size() > MAX_SHOWN_RECORDS ? " -> ..." : "");
  }

  @Override
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
   * {@return the pairs of records that may share memory in every execution order}
   *
   * <p>A tensor may reuse the memory of another one if it is reachable by at least one edge from
   * every direct dependent of the other: all tasks that read the other have then ended. No tensor
   * reuses the memory of a tensor without dependents. The rule is that of TensorFlow Lite's GPU
   * delegate.
   */
  @Override
  public ReallocationGraph reallocationGraph() {
    return reallocationGraph;
  }

  /** {@return the pairs of records of which one may follow the other} */
  private static BitMatrix pairs(int[][] dependents, int[] order) {
    BitMatrix pairs = new BitMatrix(dependents.length);
    long[] reached = new long[dependents.length * STRIP_WORDS];
    long[] follow = new long[STRIP_WORDS];
    for (int firstWord = 0; firstWord < pairs.wordCount(); firstWord += STRIP_WORDS) {
      Arrays.fill(reached, 0);
      for (int k = order.length - 1; k >= 0; k--) {
        int record = order[k];
        Arrays.fill(follow, dependents[record].length == 0 ? 0 : -1);
        int to = record * STRIP_WORDS;
        for (int dependent : dependents[record]) {
          int from = dependent * STRIP_WORDS;
          for (int w = 0; w < STRIP_WORDS; w++) {
            follow[w] &= reached[from + w];
            reached[to + w] |= reached[from + w];
          }
        }
        for (int dependent : dependents[record]) {
          int word = (dependent >>> 6) - firstWord;
          if (word >= 0 && word < STRIP_WORDS) {
            reached[to + word] |= 1L << dependent;
          }
        }
        int words = Math.min(STRIP_WORDS, pairs.wordCount() - firstWord);
        for (int w = 0; w < words; w++) {
          pairs.setWord(record, firstWord + w, follow[w]);
        }
      }
    }
    pairs.makeSymmetric();
    return pairs;
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
}
