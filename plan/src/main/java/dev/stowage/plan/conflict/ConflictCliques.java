package dev.stowage.plan.conflict;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Cliques of the conflict graph: sets of records that all conflict with each other.
 *
 * <p>The sum of the sizes of a clique is a lower bound of the arena.
 */
final class ConflictCliques {

  /*
   * A clique starts with one record and repeatedly adds the largest record that conflicts with all
   * its members. Records are preferred if no clique contains their conflict with the first record.
   *
   *   cover   An edge clique cover: each pair that conflicts is in a clique. Cliques start with the
   *           records in the order of their first tasks, as long as a record has uncovered conflicts.
   *   heavy   Cliques of many bytes: one clique for each of the largest records.
   *
   * Both are greedy heuristics: the minimum cover and the heaviest clique are NP-hard.
   */

  /** Maximum number of records to cover; limits the matrix of uncovered conflicts to about 3 MB. */
  private static final int MAX_RECORDS = 5_000;

  /** Maximum number of members of all cliques; a search takes about 100 bytes for each. */
  private static final int MAX_MEMBERS = 200_000;

  /** Maximum number of heavy cliques. */
  private static final int MAX_HEAVY_CLIQUES = 256;

  /** Maximum number of candidates examined for heavy cliques; takes less than a second. */
  private static final long MAX_HEAVY_STEPS = 50_000_000;

  private final PlanProblem problem;
  private final Conflicts conflicts;
  private final StepCounter stop;
  private long steps;

  private ConflictCliques(PlanProblem problem, Conflicts conflicts, StepCounter stop) {
    this.problem = problem;
    this.conflicts = conflicts;
    this.stop = stop;
  }

  /**
   * {@return a cover, each clique ascending; empty if there are too many records or members}
   *
   * @throws java.util.concurrent.CancellationException if {@code stop} was true
   */
  static Optional<List<int[]>> cover(PlanProblem problem, Conflicts conflicts, StepCounter stop) {
    return conflicts.count() > MAX_RECORDS
        ? Optional.empty()
        : new ConflictCliques(problem, conflicts, stop).cover();
  }

  /**
   * {@return cliques of large records, each ascending, the one with the most bytes first}
   *
   * @throws java.util.concurrent.CancellationException if {@code stop} was true
   */
  static List<int[]> heavy(PlanProblem problem, Conflicts conflicts, StepCounter stop) {
    List<int[]> cliques = new ConflictCliques(problem, conflicts, stop).heavy();
    return Arrays.stream(IndexOrder.descending(cliques.size(), k -> bytes(problem, cliques.get(k))))
        .mapToObj(cliques::get)
        .toList();
  }

  private static long bytes(PlanProblem problem, int[] records) {
    return Arrays.stream(records).mapToLong(i -> problem.records().get(i).bytes()).sum();
  }

  private List<int[]> heavy() {
    List<TensorUsageRecord> records = problem.records();
    List<int[]> cliques = new ArrayList<>();
    for (int seed : IndexOrder.descending(records.size(), i -> records.get(i).bytes())) {
      if (cliques.size() == MAX_HEAVY_CLIQUES || steps > MAX_HEAVY_STEPS) {
        break;
      }
      cliques.add(grow(seed, new long[conflicts.wordCount()]));
    }
    return cliques;
  }

  private Optional<List<int[]>> cover() {
    List<TensorUsageRecord> records = problem.records();
    long[][] uncovered = new long[records.size()][];
    Arrays.setAll(uncovered, conflicts::row);
    boolean[] isMember = new boolean[records.size()];
    int members = 0;
    List<int[]> cliques = new ArrayList<>();
    for (int seed : IndexOrder.ascending(records.size(), i -> records.get(i).firstTask())) {
      while (!isMember[seed] || !isEmpty(uncovered[seed])) {
        int[] clique = grow(seed, uncovered[seed].clone());
        members += clique.length;
        if (members > MAX_MEMBERS) {
          return Optional.empty();
        }
        for (int i : clique) {
          stop.check(clique.length);
          isMember[i] = true;
          for (int other : clique) {
            uncovered[i][other >>> 6] &= ~(1L << other);
          }
        }
        cliques.add(clique);
      }
    }
    return Optional.of(cliques);
  }

  /** {@return a maximal clique that contains {@code seed}; modifies {@code preferred}} */
  private int[] grow(int seed, long[] preferred) {
    long[] candidates = conflicts.row(seed);
    int[] members = new int[16];
    members[0] = seed;
    int count = 1;
    while (!isEmpty(candidates)) {
      long before = steps;
      int next = largest(isEmpty(preferred) ? candidates : preferred);
      stop.check(steps - before + 4L * candidates.length);
      if (count == members.length) {
        members = Arrays.copyOf(members, 2 * count);
      }
      members[count++] = next;
      long[] row = conflicts.row(next);
      retain(candidates, row);
      retain(preferred, row);
    }
    int[] clique = Arrays.copyOf(members, count);
    Arrays.sort(clique);
    return clique;
  }

  /** {@return the record of a set with the most bytes, the first of equal ones} */
  private int largest(long[] set) {
    int best = next(set, 0);
    for (int i = best; i >= 0; i = next(set, i + 1)) {
      steps++;
      if (problem.records().get(i).bytes() > problem.records().get(best).bytes()) {
        best = i;
      }
    }
    return best;
  }

  /** Intersects {@code set} with {@code other}. */
  private static void retain(long[] set, long[] other) {
    for (int word = 0; word < set.length; word++) {
      set[word] &= other[word];
    }
  }

  private static boolean isEmpty(long[] set) {
    for (long word : set) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  /** {@return the first bit of a set that is {@code from} or higher; -1 if there is none} */
  private static int next(long[] set, int from) {
    for (int word = from >>> 6; word < set.length; word++) {
      long bits = set[word] & (word == from >>> 6 ? -1L << from : -1L);
      if (bits != 0) {
        return (word << 6) + Long.numberOfTrailingZeros(bits);
      }
    }
    return -1;
  }
}
