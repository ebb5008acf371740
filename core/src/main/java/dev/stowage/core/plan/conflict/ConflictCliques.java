package dev.stowage.core.plan.conflict;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.IndexOrder;
import dev.stowage.core.plan.base.StepCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Sets of records that all conflict with each other: what they take together, each plan takes. */
final class ConflictCliques {

  /*
   * A set is begun with one record and grows by the largest record that conflicts with all in it,
   * first by those whose conflict with the first record is in no set yet.
   *
   *   cover   Sets so that each pair that conflicts is in one of them: records by their first tasks,
   *           as long as a record has conflicts that are in no set yet.
   *   heavy   One set for each of the largest records.
   */

  /** Beyond, the matrix of the conflicts that are in no set yet would take too much. */
  private static final int MOST_RECORDS = 5_000;

  /** How many records all sets may have together; a search takes some 100 bytes for each. */
  private static final int MOST_MEMBERS = 200_000;

  /** How many heavy sets there are, at most. */
  private static final int HEAVY_SETS = 256;

  /** How many records all heavy sets may have been chosen from, so that they take no second. */
  private static final long HEAVY_STEPS = 50_000_000;

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
   * {@return the sets, each ascending; empty if there are too many records or sets}
   *
   * @throws java.util.concurrent.CancellationException if the work is to stop
   */
  static Optional<List<int[]>> cover(PlanProblem problem, Conflicts conflicts, StepCounter stop) {
    return conflicts.count() > MOST_RECORDS
        ? Optional.empty()
        : new ConflictCliques(problem, conflicts, stop).cover();
  }

  /**
   * {@return some sets of large records, each ascending, the one of the most bytes first}
   *
   * @throws java.util.concurrent.CancellationException if the work is to stop
   */
  static List<int[]> heavy(PlanProblem problem, Conflicts conflicts, StepCounter stop) {
    List<int[]> sets = new ConflictCliques(problem, conflicts, stop).heavy();
    return Arrays.stream(IndexOrder.descending(sets.size(), k -> bytes(problem, sets.get(k))))
        .mapToObj(sets::get)
        .toList();
  }

  private static long bytes(PlanProblem problem, int[] records) {
    return Arrays.stream(records).mapToLong(i -> problem.records().get(i).bytes()).sum();
  }

  private List<int[]> heavy() {
    List<TensorUsageRecord> records = problem.records();
    List<int[]> cliques = new ArrayList<>();
    for (int seed : IndexOrder.descending(records.size(), i -> records.get(i).bytes())) {
      if (cliques.size() == HEAVY_SETS || steps > HEAVY_STEPS) {
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
        if (members > MOST_MEMBERS) {
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

  /** {@return a set that cannot grow any more; it takes over {@code preferred}} */
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

  /** {@return the first bit of a set from a bit on, -1 for none} */
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
