package dev.stowage.plan;

import dev.stowage.plan.base.BitMatrix;
import dev.stowage.plan.text.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Computes the pairs of records that may share memory from the edges of a usage graph. */
final class UsageGraph {

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

  private UsageGraph() {}

  /** {@return the pairs of records that may share memory, because one may follow the other} */
  static BitMatrix pairs(int[][] dependents) {
    int[] order = order(dependents);
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
    for (int record = 0; record < order.length; record++) {
      for (int other : pairs.row(record)) {
        pairs.set(other, record);
      }
    }
    return pairs;
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
    return Message.of(
        "the usage graph has a cycle: records %s%s; expected each record to depend on earlier ones",
        path, cycle.size() > MAX_SHOWN_RECORDS ? " -> ..." : "");
  }
}
