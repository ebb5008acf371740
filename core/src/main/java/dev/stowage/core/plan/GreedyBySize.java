package dev.stowage.core.plan;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Takes records by size, the largest first.
 *
 * <p>Offsets: into the smallest gap between the records placed before that conflict, the lowest of
 * equal ones; equal sizes go by ascending index. Pisarchyk and Lee, Efficient Memory Management for
 * Deep Neural Net Inference (2020), algorithm 3; from TensorFlow Lite's GPU delegate. Objects: see
 * {@link SizeDistanceObjects}.
 */
final class GreedyBySize implements ObjectsPlanner, OffsetsPlanner {

  /** O(n²): 20,000 records take about a second. */
  @Override
  public int comparedRecordLimit() {
    return 20_000;
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem) {
    return new SizeDistanceObjects(problem).plan();
  }

  @Override
  public OffsetsAssignment planOffsets(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    long[] offsets = new long[records.size()];
    OccupancyIndex placed = new OccupancyIndex(TaskRanks.of(problem));
    int[] order = bySize(records);
    for (int k = 0; k < order.length; k++) {
      int i = order[k];
      TensorUsageRecord record = records.get(i);
      long alignment = problem.alignmentOf(record);
      if (record.bytes() == 0) {
        offsets[i] = offsetOfEmpty(problem, order, k, offsets, placed);
      } else {
        offsets[i] =
            placed.tightestGap(record.firstTask(), record.lastTask(), record.bytes(), alignment);
      }
      placed.occupy(record.firstTask(), record.lastTask(), offsets[i], offsets[i] + record.bytes());
    }
    return OffsetsAssignment.ofPlaced(problem, offsets);
  }

  /**
   * {@return the offset of a record of no bytes, which fits even where two records touch}
   *
   * <p>Nearly always 0. Else, as sets of bytes do not show where records touch, the records placed
   * before are walked one by one.
   */
  private static long offsetOfEmpty(
      PlanProblem problem, int[] order, int position, long[] offsets, OccupancyIndex placed) {
    List<TensorUsageRecord> records = problem.records();
    TensorUsageRecord record = records.get(order[position]);
    long lowest = placed.lowestTaken(record.firstTask(), record.lastTask());
    if (lowest == 0 || lowest == Long.MAX_VALUE) {
      return 0;
    }
    int[] conflicting =
        Arrays.stream(order, 0, position)
            .filter(j ->
                records.get(j).firstTask() <= record.lastTask()
                    && record.firstTask() <= records.get(j).lastTask())
            .boxed()
            .sorted(Comparator.comparingLong(j -> offsets[j]))
            .mapToInt(Integer::intValue)
            .toArray();
    long free = 0;
    long best = 0;
    long bestGap = Long.MAX_VALUE;
    for (int j : conflicting) {
      if (offsets[j] >= free && offsets[j] - free < bestGap) {
        best = free;
        bestGap = offsets[j] - free;
      }
      long end = offsets[j] + records.get(j).bytes();
      free = Math.max(free, Alignment.up(end, problem.alignmentOf(record)));
    }
    return best;
  }

  private static int[] bySize(List<TensorUsageRecord> records) {
    return IntStream.range(0, records.size())
        .boxed()
        .sorted(
            Comparator.<Integer>comparingLong(i -> records.get(i).bytes())
                .reversed()
                .thenComparing(Comparator.naturalOrder()))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
