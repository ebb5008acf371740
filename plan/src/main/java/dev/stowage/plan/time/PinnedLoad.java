package dev.stowage.plan.time;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The bytes of pinned records at each task; bytes that several of them share count once. */
final class PinnedLoad {

  /*
   * Bentley's sweep for the area of a union of rectangles (Klee's measure problem, 1977). A segment
   * tree over the edges of all pinned ranges has, for each node, the number of live ranges over the
   * whole node, and the covered bytes of the node. Each range is added and removed once, in O(log
   * n).
   */

  private final long[] edges;
  private final int leaves;
  private final int[] covers;
  private final long[] coveredBytes;

  private PinnedLoad(long[] edges) {
    this.edges = edges;
    leaves = Integer.highestOneBit(Math.max(1, edges.length - 1) * 2 - 1);
    covers = new int[2 * leaves];
    coveredBytes = new long[2 * leaves];
  }

  /** A range of bytes that becomes live ({@code covers} is 1) or ends (-1) at a rank. */
  private record Change(int rank, long startByte, long endByte, int covers) {}

  /** {@return the pinned bytes at each rank} */
  static long[] of(List<TensorUsageRecord> records, TaskRanks ranks) {
    List<Change> changes = new ArrayList<>();
    for (TensorUsageRecord record : records) {
      if (record.pinnedOffset().isPresent()) {
        long offset = record.pinnedOffset().getAsLong();
        for (LiveRange range : ranks.ofRanges(LiveRange.of(record))) {
          long start = offset + range.startByte();
          long end = offset + range.endByte();
          changes.add(new Change((int) range.firstTask(), start, end, 1));
          changes.add(new Change((int) range.lastTask() + 1, start, end, -1));
        }
      }
    }
    long[] edges =
        changes.stream()
            .flatMapToLong(c -> java.util.stream.LongStream.of(c.startByte, c.endByte))
            .sorted()
            .distinct()
            .toArray();
    return new PinnedLoad(edges).sweep(changes, ranks.count());
  }

  private long[] sweep(List<Change> changes, int rankCount) {
    long[] bytes = new long[rankCount];
    int[] order = IndexOrder.ascending(changes.size(), i -> changes.get(i).rank);
    int next = 0;
    for (int rank = 0; rank < rankCount; rank++) {
      for (; next < order.length && changes.get(order[next]).rank == rank; next++) {
        Change change = changes.get(order[next]);
        int start = Arrays.binarySearch(edges, change.startByte);
        int end = Arrays.binarySearch(edges, change.endByte);
        cover(1, 0, leaves, start, end, change.covers);
      }
      bytes[rank] = coveredBytes[1];
    }
    return bytes;
  }

  /** Adds {@code change} to the covers of the edges from {@code start} to {@code end}. */
  private void cover(int node, int first, int width, int start, int end, int change) {
    if (end <= first || first + width <= start) {
      return;
    }
    if (start <= first && first + width <= end) {
      covers[node] += change;
    } else {
      cover(2 * node, first, width / 2, start, end, change);
      cover(2 * node + 1, first + width / 2, width / 2, start, end, change);
    }
    if (covers[node] > 0) {
      coveredBytes[node] =
          edges[Math.min(first + width, edges.length - 1)]
              - edges[Math.min(first, edges.length - 1)];
    } else {
      coveredBytes[node] = width == 1 ? 0 : coveredBytes[2 * node] + coveredBytes[2 * node + 1];
    }
  }
}
