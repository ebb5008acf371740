package dev.stowage.pages.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The chunks that a picture draws: those that are live at the peak, the largest ones, and of the
 * others those with the largest areas.
 */
final class LargestChunks {

  /** The number of rectangles that a page draws within 0.1 s. */
  static final int MAX_CHUNKS = 1_000_000;

  private static final Comparator<PlacedChunk> BY_AREA =
      Comparator.comparingDouble(PlacedChunk::area)
          .reversed()
          .thenComparingLong(PlacedChunk::firstEvent);

  private static final Comparator<PlacedChunk> BY_BYTES =
      Comparator.comparingLong(PlacedChunk::chunkBytes)
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
    int room = Math.max(0, maxChunks - kept.size());
    int all = others.size();
    others.sort(BY_BYTES);
    move(others, kept, room / 2);
    others.sort(BY_AREA);
    move(others, kept, room - Math.min(room / 2, all));
    skippedCount += others.size();
    chunks = kept;
  }

  private static void move(List<PlacedChunk> from, List<PlacedChunk> to, int count) {
    List<PlacedChunk> first = from.subList(0, Math.min(count, from.size()));
    to.addAll(first);
    first.clear();
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
