package dev.stowage.pages.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The chunks of a picture: all chunks that are live at the peak, and the largest areas of the
 * others.
 */
final class LargestChunks {

  /** The number of rectangles that a page draws within some tenths of a second. */
  static final int MAX_CHUNKS = 200_000;

  private static final Comparator<PlacedChunk> BY_AREA =
      Comparator.comparingDouble(PlacedChunk::area)
          .reversed()
          .thenComparingLong(PlacedChunk::firstEvent);

  private final int maxChunks;
  private List<PlacedChunk> chunks = new ArrayList<>();
  private long skippedCount;

  LargestChunks(int maxChunks) {
    this.maxChunks = maxChunks;
  }

  /**
   * Adds a chunk that was freed, in amortized O(log n).
   *
   * @param peakEvent the event of the peak so far; chunks that are live after it are kept
   */
  void add(PlacedChunk chunk, long peakEvent) {
    chunks.add(chunk);
    if (chunks.size() >= 2L * maxChunks) {
      skipSmall(peakEvent);
    }
  }

  /*
   * A chunk that is skipped was freed before now. If the peak moves later, the chunk is not live there.
   */
  private void skipSmall(long peakEvent) {
    if (chunks.size() <= maxChunks) {
      return;
    }
    List<PlacedChunk> kept = new ArrayList<>();
    List<PlacedChunk> others = new ArrayList<>();
    chunks.forEach(chunk -> (chunk.isLiveAfter(peakEvent) ? kept : others).add(chunk));
    others.sort(BY_AREA);
    int room = Math.clamp(maxChunks - kept.size(), 0, others.size());
    kept.addAll(others.subList(0, room));
    skippedCount += others.size() - room;
    chunks = kept;
  }

  /** {@return the chunks, by their first events} */
  List<PlacedChunk> byFirstEvent(long peakEvent) {
    skipSmall(peakEvent);
    chunks.sort(Comparator.comparingLong(PlacedChunk::firstEvent));
    return chunks;
  }

  long skippedCount() {
    return skippedCount;
  }
}
