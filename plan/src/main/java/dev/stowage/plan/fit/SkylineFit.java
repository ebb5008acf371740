package dev.stowage.plan.fit;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.time.RankLoad;
import dev.stowage.plan.time.TaskRanks;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Places records from offset 0 upwards, each on top of the records placed before.
 *
 * <p>The algorithm is related to the best-fit heuristic for strip packing (Burke, Kendall and
 * Whitwell, "A New Placement Heuristic for the Orthogonal Stock-Cutting Problem", 2004). The time
 * does not depend on the number of records that are live at the same time: usually O(n log n).
 */
public final class SkylineFit {

  /*
   * The heights of the placed records over time form a skyline. A valley is a range of ranks of
   * equal height between higher ones. The fit places a record at the bottom of a valley that
   * contains its lifetime. If there is no such record, the bytes above the bottom are lost, and the
   * valley rises to its lower neighbour. Valleys do not affect each other, so their order does not
   * matter.
   *
   *   bytes ^
   *         |       +-----+               The tightest rank of a valley is the one with the most
   *         | +---+ |     |  +------+     unplaced bytes. No byte must be lost there. So the record
   *         | |   +-+     |  |      |     to place is the longest one that contains that rank. If
   *         +-+   valley  +--+      |     the ranks beside it could then exceed the load, a few
   *         +---------------------------> shorter records are compared with it.
   *                                ranks
   */

  /** The number of records that are compared if the longest one is dangerous. */
  private static final int CANDIDATES = 8;

  /** The steps for each record, without the steps of {@link UnplacedRecords}. */
  private static final int STEPS_PER_RECORD = 200;

  private static final int STEPS_PER_VISIT = 4;
  private static final int NONE = -1;

  private final PlanProblem problem;
  private final int[] first;
  private final int[] last;
  private final long[] offsets;
  private final Skyline skyline;
  private final UnplacedRecords unplaced;
  private final RankLoad unplacedLoad;

  /** The largest sum of live bytes; records with gaps are live throughout. */
  private final long load;

  private int unplacedCount;

  private SkylineFit(PlanProblem problem) {
    this.problem = problem;
    TaskRanks ranks = TaskRanks.of(problem);
    int count = problem.records().size();
    first = new int[count];
    last = new int[count];
    offsets = new long[count];
    long[] loads = new long[ranks.count()];
    for (int i = 0; i < count; i++) {
      TensorUsageRecord record = problem.records().get(i);
      first[i] = ranks.ofFirst(record.firstTask());
      last[i] = ranks.ofLast(record.lastTask());
      loads[first[i]] += record.bytes();
      if (last[i] + 1 < loads.length) {
        loads[last[i] + 1] -= record.bytes();
      }
    }
    for (int rank = 1; rank < loads.length; rank++) {
      loads[rank] += loads[rank - 1];
    }
    load = Arrays.stream(loads).max().orElse(0);
    int[] records =
        IntStream.range(0, count).filter(i -> problem.records().get(i).bytes() > 0).toArray();
    unplacedCount = records.length;
    unplaced = new UnplacedRecords(records, first, last, ranks.count());
    unplacedLoad = new RankLoad(loads);
    skyline = new Skyline(ranks.count());
  }

  /**
   * {@return a valid plan}
   *
   * @param problem a problem without pins; records with gaps hold their bytes during the gaps, too
   * @param steps counts the work
   * @throws IllegalArgumentException if a record is pinned
   * @throws java.util.concurrent.CancellationException if {@code steps} is stopped
   */
  public static OffsetsAssignment plan(PlanProblem problem, StepCounter steps) {
    for (int i = 0; i < problem.records().size(); i++) {
      if (problem.records().get(i).pinnedOffset().isPresent()) {
        throw new IllegalArgumentException(
            "a skyline has no room for pinned records: "
                + problem.records().get(i).label(i)
                + " is pinned");
      }
    }
    steps.check(0);
    return new SkylineFit(problem).place(steps);
  }

  private OffsetsAssignment place(StepCounter steps) {
    while (unplacedCount > 0) {
      long visitsBefore = unplaced.steps();
      int valley = skyline.nextValley();
      int record = choose(valley);
      if (record == NONE) {
        skyline.raise(valley);
      } else {
        offsets[record] = offset(record, valley);
        unplaced.remove(record);
        unplacedLoad.add(first[record], last[record], -bytes(record));
        skyline.add(valley, first[record], last[record], offsets[record] + bytes(record));
        unplacedCount--;
      }
      steps.check(STEPS_PER_RECORD + STEPS_PER_VISIT * (unplaced.steps() - visitsBefore));
    }
    return OffsetsAssignment.inSmallestArena(problem, offsets);
  }

  private long bytes(int record) {
    return problem.records().get(record).bytes();
  }

  private long offset(int record, int valley) {
    TensorUsageRecord placed = problem.records().get(record);
    return Alignment.up(skyline.height(valley), problem.alignmentOf(placed));
  }

  /** {@return the record to place in a valley; -1 if none fits} */
  private int choose(int valley) {
    int low = skyline.first(valley);
    int high = skyline.last(valley);
    int tightest = unplacedLoad.heaviest(low, high);
    if (unplacedLoad.heaviestBytes() == 0) {
      return NONE;
    }
    if (unplaced.findAt(tightest, low, high, 1) == 0) {
      return unplaced.findWithin(low, high) == 0 ? NONE : unplaced.found(0);
    }
    int best = unplaced.found(0);
    long leastExcess = excess(best, valley);
    if (leastExcess > 0) {
      int count = unplaced.findAt(tightest, low, high, CANDIDATES);
      for (int k = 0; k < count; k++) {
        long excess = excess(unplaced.found(k), valley);
        if (excess < leastExcess) {
          leastExcess = excess;
          best = unplaced.found(k);
        }
      }
    }
    return best;
  }

  /**
   * {@return the bytes above the load that the ranks of a valley beside a record would need if no
   * record fitted there below the top of the record}
   */
  private long excess(int record, int valley) {
    long top = offset(record, valley) + bytes(record);
    long before =
        excess(
            skyline.first(valley), first[record] - 1, Math.min(top, skyline.heightBefore(valley)));
    long after =
        excess(last[record] + 1, skyline.last(valley), Math.min(top, skyline.heightAfter(valley)));
    return Math.max(before, after);
  }

  private long excess(int from, int to, long height) {
    if (from > to) {
      return 0;
    }
    unplacedLoad.heaviest(from, to);
    return Math.max(0, height - (load - unplacedLoad.heaviestBytes()));
  }
}
