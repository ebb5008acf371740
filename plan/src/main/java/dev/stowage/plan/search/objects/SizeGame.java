package dev.stowage.plan.search.objects;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * An iteration towards the smallest fractional plan, and towards weights as a proof of its size.
 *
 * <p>In a fractional plan, a record has shares of several sizes.
 */
final class SizeGame {

  /*
   * The load of a size at a clique is the number of the clique's records in objects of this size. A
   * plan needs as many objects of a size as its largest load. Intervals need no more colours than
   * the largest clique, so the sizes alone decide the bytes of a plan. For fractional plans, the
   * least bytes are the value of a game of two players with zero sum. The first one splits each
   * record among its open choices. The second one spreads each size over the cliques as weights.
   * The first one pays the sum of load times weight.
   *
   * Both players play predictive regret matching with alternating moves and quadratic averages:
   * Farina, Kroer and Sandholm, "Faster Game Solving via Predictive Blackwell Approachability"
   * (2021). The averages and the last moves approach the value from both sides. A step costs O(m +
   * sc) for m open choices, s sizes and c cliques.
   */

  private final SizedRecords records;
  private final SizeChoices choices;
  private final SizeCliques cliques;

  /** For each record and choice, the share, the regret of not having chosen it, and the average. */
  private final double[][] shares;

  private final double[][] shareRegrets;
  private final double[][] averageShares;

  /** For each size and clique, the weight, its regret and its average; empty for unused sizes. */
  private final double[][] weights;

  private final double[][] weightRegrets;
  private final double[][] averageWeights;

  /** For each size and clique, first the sum of the weights before it, then the load. */
  private final double[][] sums;

  private final double[] costs;

  /** The sizes that are open choices. */
  private int[] openSizes = {};

  private long roundCount;
  private double roundWeight;

  SizeGame(SizedRecords records, SizeChoices choices, SizeCliques cliques) {
    this.records = records;
    this.choices = choices;
    this.cliques = cliques;
    shares = new double[records.count()][];
    Arrays.setAll(shares, r -> new double[choices.choiceCount(r)]);
    shareRegrets = copy(shares);
    averageShares = copy(shares);
    weights = new double[records.sizes.length][];
    Arrays.setAll(weights, size -> new double[cliques.count(size)]);
    weightRegrets = copy(weights);
    averageWeights = copy(weights);
    sums = new double[records.sizes.length][];
    Arrays.setAll(sums, size -> new double[cliques.count(size) + 1]);
    costs = new double[records.sizes.length];
    for (int size = 0; size < weights.length; size++) {
      Arrays.fill(weights[size], (double) records.units(size) / Math.max(1, cliques.count(size)));
    }
    restart();
  }

  private static double[][] copy(double[][] rows) {
    return Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
  }

  /** {@return the weights of the last step, in units} */
  double[][] weights() {
    return weights;
  }

  /** {@return the averages of the weights, in units} */
  double[][] averageWeights() {
    return averageWeights;
  }

  /** {@return the average share of a choice} */
  double averageShare(int record, int choice) {
    return averageShares[record][choice];
  }

  /** {@return for each record, the size of the largest share in the last step} */
  int[] lastSizes() {
    int[] sizes = new int[shares.length];
    for (int r = 0; r < sizes.length; r++) {
      int largest = choices.open(r)[0];
      for (int choice : choices.open(r)) {
        largest = shares[r][choice] > shares[r][largest] ? choice : largest;
      }
      sizes[r] = choices.size(r, largest);
    }
    return sizes;
  }

  /** {@return the number of array elements that a step visits} */
  long stepVisits() {
    long count = choices.openCount();
    for (int size : openSizes) {
      count += cliques.count(size);
    }
    return count;
  }

  /** Adapts the shares to a change of the open choices, and starts new averages. */
  void restart() {
    roundCount = 0;
    roundWeight = 0;
    updateOpenSizes();
    for (int r = 0; r < shares.length; r++) {
      normalize(shares[r], choices.open(r));
    }
  }

  /** Updates the list of sizes, so that a step visits no size without a record. */
  private void updateOpenSizes() {
    boolean[] isOpen = choices.openSizes(records.sizes.length);
    openSizes = IntStream.range(0, isOpen.length).filter(size -> isOpen[size]).toArray();
  }

  /** Scales the shares of open choices to a sum of 1, and clears the others. */
  private static void normalize(double[] row, int[] open) {
    double sum = 0;
    for (int choice : open) {
      sum += row[choice];
    }
    double[] before = row.clone();
    Arrays.fill(row, 0);
    for (int choice : open) {
      row[choice] = sum > 0 ? before[choice] / sum : 0;
    }
    if (sum <= 0) {
      row[open[0]] = 1;
    }
  }

  /** Adapts the shares of records after some of their choices were closed. */
  void adapt(int[] changed) {
    for (int record : changed) {
      normalize(shares[record], choices.open(record));
      normalize(averageShares[record], choices.open(record));
    }
    updateOpenSizes();
  }

  /** Lets both players move once. */
  void step() {
    roundCount++;
    double weight = (double) roundCount * roundCount;
    roundWeight += weight;
    double part = weight / roundWeight;
    sumWeights();
    for (int r = 0; r < shares.length; r++) {
      moveShares(r, part);
    }
    sumLoads();
    for (int size : openSizes) {
      moveWeights(size, part);
    }
  }

  private void sumWeights() {
    for (int size : openSizes) {
      double[] row = weights[size];
      double sum = 0;
      for (int c = 0; c < row.length; c++) {
        sums[size][c] = sum;
        sum += row[c];
      }
      sums[size][row.length] = sum;
    }
  }

  private void moveShares(int record, double part) {
    int[] open = choices.open(record);
    double[] row = shares[record];
    double[] regrets = shareRegrets[record];
    double mean = 0;
    for (int k = 0; k < open.length; k++) {
      double[] sum = sums[choices.size(record, open[k])];
      costs[k] = sum[cliques.last(record, open[k]) + 1] - sum[cliques.first(record, open[k])];
      mean += costs[k] * row[open[k]];
    }
    double total = 0;
    int cheapest = 0;
    for (int k = 0; k < open.length; k++) {
      double gain = mean - costs[k];
      double regret = Math.max(0, regrets[open[k]] + gain);
      regrets[open[k]] = regret;
      row[open[k]] = Math.max(0, regret + gain);
      total += row[open[k]];
      cheapest = costs[k] < costs[cheapest] ? k : cheapest;
    }
    double[] average = averageShares[record];
    for (int k = 0; k < open.length; k++) {
      double share = total > 0 ? row[open[k]] / total : k == cheapest ? 1 : 0;
      row[open[k]] = share;
      average[open[k]] += part * (share - average[open[k]]);
    }
  }

  private void sumLoads() {
    for (int size : openSizes) {
      Arrays.fill(sums[size], 0);
    }
    for (int r = 0; r < shares.length; r++) {
      for (int choice : choices.open(r)) {
        double share = shares[r][choice];
        if (share > 0) {
          double[] row = sums[choices.size(r, choice)];
          row[cliques.first(r, choice)] += share;
          row[cliques.last(r, choice) + 1] -= share;
        }
      }
    }
  }

  private void moveWeights(int size, double part) {
    double[] loads = sums[size];
    double[] row = weights[size];
    double[] regrets = weightRegrets[size];
    double units = records.units(size);
    double load = 0;
    double mean = 0;
    int fullest = 0;
    for (int c = 0; c < row.length; c++) {
      load += loads[c];
      loads[c] = load;
      mean += load * row[c];
      fullest = load > loads[fullest] ? c : fullest;
    }
    mean /= units;
    double total = 0;
    for (int c = 0; c < row.length; c++) {
      double gain = loads[c] - mean;
      double regret = Math.max(0, regrets[c] + gain);
      regrets[c] = regret;
      row[c] = Math.max(0, regret + gain);
      total += row[c];
    }
    double[] average = averageWeights[size];
    for (int c = 0; c < row.length; c++) {
      double weight = total > 0 ? row[c] * (units / total) : c == fullest ? units : 0;
      row[c] = weight;
      average[c] += part * (weight - average[c]);
    }
  }
}
