package dev.stowage.core.plan;

import java.util.List;

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
    TaskRanks ranks =
        TaskRanks.ofStarts(
            records.stream()
                .flatMap(record -> record.liveRanges().stream())
                .mapToLong(LiveRange::firstTask));
    OccupancyIndex placed = new OccupancyIndex(ranks.count());
    long[] offsets = new long[records.size()];
    for (int i = 0; i < offsets.length; i++) {
      TensorUsageRecord record = records.get(i);
      if (record.pinnedOffset().isPresent()) {
        offsets[i] = record.pinnedOffset().getAsLong();
        occupy(placed, ranks.ofRanges(record.liveRanges()), offsets[i]);
      }
    }
    for (int i : bySize(records)) {
      TensorUsageRecord record = records.get(i);
      if (record.pinnedOffset().isEmpty()) {
        List<LiveRange> needs = ranks.ofRanges(record.liveRanges());
        offsets[i] = placed.lowestGap(needs, problem.alignmentOf(record));
        occupy(placed, needs, offsets[i]);
      }
    }
    return OffsetsAssignment.ofPlaced(problem, offsets);
  }

  private static void occupy(OccupancyIndex placed, List<LiveRange> needs, long offset) {
    for (LiveRange need : needs) {
      placed.occupy(
          (int) need.firstTask(),
          (int) need.lastTask(),
          offset + need.startByte(),
          offset + need.endByte());
    }
  }

  /** {@return the indices by descending size, then descending index} */
  private static int[] bySize(List<TensorUsageRecord> records) {
    int last = records.size() - 1;
    int[] order = IndexOrder.descending(records.size(), k -> records.get(last - k).bytes());
    for (int k = 0; k < order.length; k++) {
      order[k] = last - order[k];
    }
    return order;
  }
}
