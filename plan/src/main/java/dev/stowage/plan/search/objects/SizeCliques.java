package dev.stowage.plan.search.objects;

import java.util.Arrays;

/**
 * For each size, the maximal cliques of the records that have it as a choice.
 *
 * <p>The cliques of a size are numbered from 0, by ascending task.
 */
final class SizeCliques {

  /** For each size, the number of its cliques. */
  private final int[] counts;

  /** For each record and choice, the first and the last clique of this size with the record. */
  private final int[][] first;

  private final int[][] last;

  SizeCliques(SizedRecords records, SizeChoices choices) {
    int[][] cliques = cliques(records, choices);
    counts = Arrays.stream(cliques).mapToInt(list -> list.length).toArray();
    first = new int[records.count()][];
    last = new int[records.count()][];
    for (int r = 0; r < first.length; r++) {
      first[r] = new int[choices.choiceCount(r)];
      last[r] = new int[choices.choiceCount(r)];
      for (int choice = 0; choice < first[r].length; choice++) {
        int[] list = cliques[choices.size(r, choice)];
        first[r][choice] = countBelow(list, records.first[r]);
        last[r][choice] = countBelow(list, records.last[r] + 1) - 1;
      }
    }
  }

  /** {@return for each size, the last clique of all records that is part of each of its cliques} */
  private static int[][] cliques(SizedRecords records, SizeChoices choices) {
    int sizeCount = records.sizes.length;
    int[] startedCounts = new int[sizeCount];
    int[] counts = new int[sizeCount];
    int[][] cliques = new int[sizeCount][4];
    int[][] startsBySize = new int[sizeCount][];
    int[] startCounts = new int[sizeCount];
    for (int r = 0; r < records.count(); r++) {
      for (int choice = 0; choice < choices.choiceCount(r); choice++) {
        startCounts[choices.size(r, choice)]++;
      }
    }
    Arrays.setAll(startsBySize, size -> new int[startCounts[size]]);
    Arrays.fill(startCounts, 0);
    for (int r = 0; r < records.count(); r++) { // by ascending first clique
      for (int choice = 0; choice < choices.choiceCount(r); choice++) {
        int size = choices.size(r, choice);
        startsBySize[size][startCounts[size]++] = records.first[r];
      }
    }
    // A clique ends with a record if another record started after the clique before.
    for (int r : records.byLast) {
      for (int choice = 0; choice < choices.choiceCount(r); choice++) {
        int size = choices.size(r, choice);
        int[] starts = startsBySize[size];
        int started = startedCounts[size];
        while (started < starts.length && starts[started] <= records.last[r]) {
          started++;
        }
        if (started > startedCounts[size]) {
          startedCounts[size] = started;
          if (counts[size] == cliques[size].length) {
            cliques[size] = Arrays.copyOf(cliques[size], 2 * counts[size]);
          }
          cliques[size][counts[size]++] = records.last[r];
        }
      }
    }
    Arrays.setAll(cliques, size -> Arrays.copyOf(cliques[size], counts[size]));
    return cliques;
  }

  /** {@return the number of elements below a value} */
  private static int countBelow(int[] ascending, int value) {
    int found = Arrays.binarySearch(ascending, value);
    return found >= 0 ? found : -found - 1;
  }

  /** {@return the number of cliques of a size; 0 if no record has it as a choice} */
  int count(int size) {
    return counts[size];
  }

  /** {@return the first clique of the size of a choice that has the record} */
  int first(int record, int choice) {
    return first[record][choice];
  }

  /** {@return the last clique of the size of a choice that has the record} */
  int last(int record, int choice) {
    return last[record][choice];
  }
}
