package dev.stowage.core.plan;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Takes records by size, the largest first, into the lowest gap.
 *
 * <p>Equal sizes go by descending index. Pinned records go first, where they are pinned, even onto
 * each other. From TensorFlow Lite Micro's GreedyMemoryPlanner, which knows neither alignment nor
 * gaps in lifetimes: without them the results are the same.
 */
final class TflmGreedy implements OffsetsPlanner {

  @Override
  public boolean placesPins() {
    return true;
  }

  @Override
  public OffsetsAssignment planOffsets(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    long[] offsets = new long[records.size()];
    OccupancyIndex placed =
        new OccupancyIndex(
            TaskRanks.ofStarts(
                records.stream()
                    .flatMap(record -> record.liveRanges().stream())
                    .mapToLong(LiveRange::firstTask)));
    for (int i = 0; i < offsets.length; i++) {
      if (records.get(i).pinnedOffset().isPresent()) {
        offsets[i] = records.get(i).pinnedOffset().getAsLong();
        occupy(placed, records.get(i), offsets[i]);
      }
    }
    for (int i : movableBySize(records)) {
      TensorUsageRecord record = records.get(i);
      offsets[i] = placed.lowestGap(record.liveRanges(), problem.alignmentOf(record));
      occupy(placed, record, offsets[i]);
    }
    return OffsetsAssignment.ofPlaced(problem, offsets);
  }

  private static void occupy(OccupancyIndex placed, TensorUsageRecord record, long offset) {
    for (LiveRange range : record.liveRanges()) {
      placed.occupy(
          range.firstTask(),
          range.lastTask(),
          offset + range.startByte(),
          offset + range.endByte());
    }
  }

  private static int[] movableBySize(List<TensorUsageRecord> records) {
    return IntStream.range(0, records.size())
        .filter(i -> records.get(i).pinnedOffset().isEmpty())
        .boxed()
        .sorted(
            Comparator.<Integer>comparingLong(i -> records.get(i).bytes())
                .thenComparing(Comparator.naturalOrder())
                .reversed())
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
