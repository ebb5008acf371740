package dev.stowage.plan.search.objects;

import dev.stowage.plan.base.IndexOrder;
import java.util.Arrays;

/** Exact lower bounds from prices of records, and choices of sizes that they exclude. */
final class SizeBounds {

  /*
   * An object holds a chain of records: no two of them share a clique. Each record has a price. If
   * no chain of open choices of a size has prices above that size, then
   *
   *   bytes of a plan = sum of all prices + sum over the objects of (size - prices of its records)
   *
   * and no term of the second sum is negative. So the sum of the prices is a lower bound. The slack
   * of a choice is the least term of all objects of this size with the record. The records of a
   * clique are in different objects. So the least slacks of all records of a clique are added, too.
   * A choice is closed if its slack is too large for a plan within the goal.
   *
   * The prices come from weights: for each size, one weight for each clique, with a sum of at most
   * the size. The price of a record is the least sum of its cliques' weights over its open choices.
   * A chain has at most one record of each clique, so its prices are at most the size.
   *
   * This is the dual of the covering of the records by chains, as in Mehrotra and Trick, "A column
   * generation approach for graph coloring" (1996), with the heaviest chain from the dynamic program
   * for weighted intervals. All numbers are integers, as multiples of 2^-shift units.
   */

  /** The largest shift; a bound is then exact to a millionth of a unit for each record. */
  private static final int MAX_SHIFT = 20;

  /** The largest sum of all sizes, in units, without an overflow. */
  private static final long MAX_TOTAL_UNITS = 1L << 60;

  private final SizedRecords records;
  private final int shift;

  /** For each record and choice, its slack. */
  private final long[][] slacks;

  /** For each record, its least slack. */
  private final long[] leastSlacks;

  private final long[] heaviestBefore;
  private final long[] heaviestFrom;

  /** For each size, its first position in the lists; then the end. */
  private final int[] firstOfSize;

  SizeBounds(SizedRecords records) {
    this.records = records;
    long total = 0;
    for (int size : records.sizeIndex) {
      total += records.units(size);
    }
    shift = Math.min(MAX_SHIFT, Long.numberOfLeadingZeros(Math.max(1, total)) - 3);
    slacks = new long[records.count()][];
    leastSlacks = new long[records.count()];
    heaviestBefore = new long[records.cliqueCount + 1];
    heaviestFrom = new long[records.cliqueCount + 1];
    firstOfSize = new int[records.sizes.length + 1];
  }

  /** {@return true if all sums fit into a long} */
  static boolean admits(SizedRecords records) {
    long total = 0;
    for (int size : records.sizeIndex) {
      total += records.units(size);
      if (total > MAX_TOTAL_UNITS) {
        return false;
      }
    }
    return true;
  }

  /** {@return the prices of records that add up to the sum of the positional maximums} */
  long[] positionalPrices() {
    // For each size, the whole growth over the next smaller size is the weight of one clique: of
    // one with the most records of at least that size. Other sizes have these weights, too.
    int[] starts = new int[records.cliqueCount + 1]; // starts minus ends of records
    int[] bySize = IndexOrder.ascending(records.count(), r -> records.sizeIndex[r]);
    long[] prices = new long[records.count()];
    int from = bySize.length;
    for (int size = records.sizes.length - 1; size >= 0; size--) {
      for (; from > 0 && records.sizeIndex[bySize[from - 1]] == size; from--) {
        starts[records.first[bySize[from - 1]]]++;
        starts[records.last[bySize[from - 1]] + 1]--;
      }
      int fullest = indexOfLargestSum(starts);
      long growth = (records.units(size) - (size == 0 ? 0 : records.units(size - 1))) << shift;
      for (int k = from; k < bySize.length; k++) {
        int record = bySize[k];
        if (records.first[record] <= fullest && fullest <= records.last[record]) {
          prices[record] += growth;
        }
      }
    }
    return prices;
  }

  private static int indexOfLargestSum(int[] starts) {
    int found = 0;
    int live = 0;
    int most = 0;
    for (int c = 0; c < starts.length; c++) {
      live += starts[c];
      if (live > most) {
        most = live;
        found = c;
      }
    }
    return found;
  }

  /**
   * {@return the price of each record}
   *
   * @param weights for each size and clique, a weight in units; a size without open choices may
   *     have none
   */
  long[] prices(double[][] weights, SizeChoices choices, SizeCliques cliques) {
    double scale = 1L << shift;
    long[][] sums = new long[weights.length][];
    for (int size = 0; size < weights.length; size++) {
      long limit = records.units(size) << shift;
      sums[size] = new long[weights[size].length + 1];
      for (int c = 0; c < weights[size].length; c++) {
        long weight = Math.max(0, (long) (weights[size][c] * scale));
        sums[size][c + 1] = sums[size][c] + Math.min(weight, limit - sums[size][c]);
      }
    }
    long[] prices = new long[records.count()];
    for (int r = 0; r < prices.length; r++) {
      prices[r] = Long.MAX_VALUE;
      for (int choice : choices.open(r)) {
        long[] sum = sums[choices.size(r, choice)];
        long price = sum[cliques.last(r, choice) + 1] - sum[cliques.first(r, choice)];
        prices[r] = Math.min(prices[r], price);
      }
    }
    return prices;
  }

  /**
   * Closes the choices that no plan within a goal can have.
   *
   * @param prices prices for the open choices
   * @param goalBytes the largest plan of interest
   * @return a lower bound in bytes of all plans with open choices; more than {@code goalBytes} if
   *     there is no plan within the goal
   */
  long tighten(long[] prices, SizeChoices choices, SizeCliques cliques, long goalBytes) {
    findSlacks(prices, choices, cliques);
    long[] added = new long[records.cliqueCount + 1];
    for (int r = 0; r < prices.length; r++) {
      added[records.first[r]] += leastSlacks[r];
      added[records.last[r] + 1] -= leastSlacks[r];
    }
    long most = 0;
    for (int c = 0; c < records.cliqueCount; c++) {
      added[c] += c == 0 ? 0 : added[c - 1];
      most = Math.max(most, added[c]);
    }
    long priceSum = Arrays.stream(prices).sum();
    long goal = (goalBytes / records.unitBytes) << shift;
    if (priceSum + most > goal) {
      return bytes(priceSum + most);
    }
    for (int r = 0; r < prices.length; r++) {
      long mostBeside = 0;
      for (int c = records.first[r]; c <= records.last[r]; c++) {
        mostBeside = Math.max(mostBeside, added[c]);
      }
      long slackLimit = goal - priceSum - mostBeside + leastSlacks[r];
      if (!closeAbove(slackLimit, r, choices)) {
        return goalBytes + records.unitBytes;
      }
    }
    return bytes(priceSum + most);
  }

  private long bytes(long scaledUnits) {
    return Math.ceilDiv(scaledUnits, 1L << shift) * records.unitBytes;
  }

  /** Closes the choices of more slack and {@return true if a choice is left} */
  private boolean closeAbove(long slackLimit, int record, SizeChoices choices) {
    int[] open = choices.open(record);
    int kept = 0;
    for (int choice : open) {
      kept += slacks[record][choice] <= slackLimit ? 1 : 0;
    }
    if (0 < kept && kept < open.length) {
      choices.keep(
          record,
          Arrays.stream(open).filter(choice -> slacks[record][choice] <= slackLimit).toArray());
    }
    return kept > 0;
  }

  /** Computes the slack of each open choice and the least one of each record. */
  private void findSlacks(long[] prices, SizeChoices choices, SizeCliques cliques) {
    Arrays.fill(leastSlacks, Long.MAX_VALUE);
    Arrays.fill(firstOfSize, 0);
    for (int r = 0; r < prices.length; r++) {
      if (slacks[r] == null) {
        slacks[r] = new long[choices.choiceCount(r)];
      }
      for (int choice : choices.open(r)) {
        firstOfSize[choices.size(r, choice) + 1]++;
      }
    }
    for (int size = 0; size < records.sizes.length; size++) {
      firstOfSize[size + 1] += firstOfSize[size];
    }
    ChoiceLists byFirst = new ChoiceLists(firstOfSize);
    ChoiceLists byLast = new ChoiceLists(firstOfSize);
    for (int k = 0; k < prices.length; k++) {
      byFirst.add(k, choices);
      byLast.add(records.byLast[k], choices);
    }
    for (int size = 0; size < records.sizes.length; size++) {
      int from = firstOfSize[size];
      int to = firstOfSize[size + 1];
      if (from < to) {
        findChains(prices, cliques, size, byFirst, byLast);
        long limit = records.units(size) << shift;
        for (int k = from; k < to; k++) {
          int r = byFirst.records[k];
          int choice = byFirst.choices[k];
          long slack =
              limit
                  - heaviestBefore[cliques.first(r, choice)]
                  - prices[r]
                  - heaviestFrom[cliques.last(r, choice) + 1];
          slacks[r][choice] = slack;
          leastSlacks[r] = Math.min(leastSlacks[r], slack);
        }
      }
    }
  }

  /** Open choices by size; the choices of one size keep the order of their addition. */
  private static final class ChoiceLists {

    final int[] records;
    final int[] choices;
    private final int[] ends;

    ChoiceLists(int[] firstOfSize) {
      ends = firstOfSize.clone();
      records = new int[firstOfSize[firstOfSize.length - 1]];
      choices = new int[records.length];
    }

    void add(int record, SizeChoices open) {
      for (int choice : open.open(record)) {
        int position = ends[open.size(record, choice)]++;
        records[position] = record;
        choices[position] = choice;
      }
    }
  }

  /**
   * Finds, for each clique of a size, the heaviest chain before the clique, and the heaviest one
   * from the clique on.
   */
  private void findChains(
      long[] prices, SizeCliques cliques, int size, ChoiceLists byFirst, ChoiceLists byLast) {
    int from = firstOfSize[size];
    int to = firstOfSize[size + 1];
    int count = cliques.count(size);
    int k = from;
    for (int c = 0; c < count; c++) {
      long most = heaviestBefore[c];
      for (; k < to && cliques.last(byLast.records[k], byLast.choices[k]) == c; k++) {
        int r = byLast.records[k];
        most = Math.max(most, heaviestBefore[cliques.first(r, byLast.choices[k])] + prices[r]);
      }
      heaviestBefore[c + 1] = most;
    }
    heaviestFrom[count] = 0;
    k = to - 1;
    for (int c = count - 1; c >= 0; c--) {
      long most = heaviestFrom[c + 1];
      for (; k >= from && cliques.first(byFirst.records[k], byFirst.choices[k]) == c; k--) {
        int r = byFirst.records[k];
        most = Math.max(most, heaviestFrom[cliques.last(r, byFirst.choices[k]) + 1] + prices[r]);
      }
      heaviestFrom[c] = most;
    }
  }
}
