package dev.stowage.cli.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The chunks of the largest areas of any number; of equal ones the first. */
final class LargestChunks {

  /** As many rectangles as a browser paints while someone waits. */
  static final int MOST = 100_000;

  private static final Comparator<PlacedChunk> BY_AREA =
      Comparator.comparingDouble(PlacedChunk::area)
          .reversed()
          .thenComparingLong(PlacedChunk::firstEvent);

  private final List<PlacedChunk> chunks = new ArrayList<>();
  private long leftOutCount;
  private double leftOutArea;

  /** Takes one; O(log n), amortized. */
  void add(PlacedChunk chunk) {
    chunks.add(chunk);
    if (chunks.size() >= 2 * MOST) {
      leaveOutSmall();
    }
  }

  private void leaveOutSmall() {
    if (chunks.size() > MOST) {
      chunks.sort(BY_AREA);
      List<PlacedChunk> small = chunks.subList(MOST, chunks.size());
      leftOutCount += small.size();
      leftOutArea += areaOf(small);
      small.clear();
    }
  }

  /** {@return those that remain, by their first events} */
  List<PlacedChunk> byFirstEvent() {
    leaveOutSmall();
    chunks.sort(Comparator.comparingLong(PlacedChunk::firstEvent));
    return chunks;
  }

  long leftOutCount() {
    return leftOutCount;
  }

  /** {@return the share of the area of all} */
  double leftOutShare() {
    return leftOutCount == 0 ? 0 : leftOutArea / (leftOutArea + areaOf(chunks));
  }

  private static double areaOf(List<PlacedChunk> chunks) {
    return chunks.stream().mapToDouble(PlacedChunk::area).sum();
  }
}
