package dev.stowage.plan.greedy;

import java.util.Arrays;

/**
 * A tournament of numbered records, which the nearest one wins; of equally near ones, the first.
 */
final class NearestTournament {

  /* Each node has the better one of its children. The left child wins if distances are equal. */

  private static final int NONE = -1;

  private final long[] distances;
  private final int[] winners;
  private final int leaves;

  /**
   * Creates a tournament of all records.
   *
   * @param distances the distance of each record, which the caller changes before {@link #update}
   */
  NearestTournament(long[] distances) {
    this.distances = distances;
    leaves = Integer.highestOneBit(Math.max(1, 2 * distances.length - 1));
    winners = new int[2 * leaves];
    Arrays.fill(winners, NONE);
    for (int k = 0; k < distances.length; k++) {
      winners[leaves + k] = k;
    }
    for (int node = leaves - 1; node > 0; node--) {
      winners[node] = better(winners[2 * node], winners[2 * node + 1]);
    }
  }

  private int better(int left, int right) {
    if (left == NONE || right == NONE) {
      return left == NONE ? right : left;
    }
    return distances[right] < distances[left] ? right : left;
  }

  /** {@return the winner, which leaves the tournament} */
  int remove() {
    int next = winners[1];
    winners[leaves + next] = NONE;
    update(next);
    return next;
  }

  /** Repeats the matches of a record with a changed distance: O(log n). */
  void update(int record) {
    for (int node = (leaves + record) >> 1; node > 0; node >>= 1) {
      int winner = better(winners[2 * node], winners[2 * node + 1]);
      if (winner != record && winner == winners[node]) {
        return; // the matches above had this winner, too
      }
      winners[node] = winner;
    }
  }
}
