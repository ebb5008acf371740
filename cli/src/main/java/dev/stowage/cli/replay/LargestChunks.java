package dev.stowage.cli.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The chunks with the largest areas; of equal ones the first. */
final class LargestChunks {

  /** The number of rectangles that a browser paints without a noticeable delay. */
  static final int MAX_CHUNKS = 100_000;

  private static final Comparator<PlacedChunk> BY_AREA =
      Comparator.comparingDouble(PlacedChunk::area)
          .reversed()
          .thenComparingLong(PlacedChunk::firstEvent);

  private final List<PlacedChunk> chunks = new ArrayList<>();
  private long skippedCount;
  private double skippedArea;

  /** Adds a chunk, in amortized O(log n). */
  void add(PlacedChunk chunk) {
    chunks.add(chunk);
    if (chunks.size() >= 2 * MAX_CHUNKS) {
      skipSmall();
    }
  }

  private void skipSmall() {
    if (chunks.size() > MAX_CHUNKS) {
      chunks.sort(BY_AREA);
      List<PlacedChunk> small = chunks.subList(MAX_CHUNKS, chunks.size());
      skippedCount += small.size();
      skippedArea += areaOf(small);
      small.clear();
    }
  }

  /** {@return the largest chunks, by their first events} */
  List<PlacedChunk> byFirstEvent() {
    skipSmall();
    chunks.sort(Comparator.comparingLong(PlacedChunk::firstEvent));
    return chunks;
  }

  long skippedCount() {
    return skippedCount;
  }

  /** {@return the share of the skipped chunks in the area of all} */
  double skippedShare() {
    return skippedCount == 0 ? 0 : skippedArea / (skippedArea + areaOf(chunks));
  }

  private static double areaOf(List<PlacedChunk> chunks) {
    return chunks.stream().mapToDouble(PlacedChunk::area).sum();
  }
}
