package dev.stowage.pages.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.AllocationEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LargestChunksTest {

  static LongStream seeds() {
    return Seeds.of(200);
  }

  private static PlacedChunk chunk(long bytes, long first, long end) {
    return new PlacedChunk(
        new AllocationEvent.Allocate("c" + first, bytes, 0, 0), bytes, 0, 0, first, end);
  }

  @Test
  void add_aSpike_isKept() {
    LargestChunks chunks = new LargestChunks(4);
    chunks.add(chunk(1L << 30, 5, 6), 5);
    for (int i = 10; i < 100; i += 2) {
      chunks.add(chunk(1 << 20, i, i + 1_000_000), 5);
    }

    assertThat(chunks.byFirstEvent(5)).hasSize(4).first().isEqualTo(chunk(1L << 30, 5, 6));
    assertThat(chunks.skippedCount()).isEqualTo(42);
  }

  /**
   * Chunks of a random history. At the end, those that are live at its peak are kept, and so are
   * the largest of the others.
   */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void byFirstEvent_randomHistory_hasThePeakAndTheLargest(long seed) {
    Random random = new Random(seed);
    int maxChunks = 1 + random.nextInt(12);
    LargestChunks chunks = new LargestChunks(maxChunks);
    List<PlacedChunk> live = new ArrayList<>();
    List<PlacedChunk> all = new ArrayList<>();
    int events = random.nextInt(200);
    long bytes = 0;
    long peakBytes = 0;
    long peakEvent = 0;
    for (int event = 1; event <= events; event++) {
      if (!live.isEmpty() && random.nextInt(5) < 2) {
        PlacedChunk freed = live.remove(random.nextInt(live.size())).endingAt(event);
        bytes -= freed.chunkBytes();
        all.add(freed);
        chunks.add(freed, peakEvent);
      } else {
        live.add(chunk(1 + random.nextInt(1000), event, Long.MAX_VALUE));
        bytes += live.getLast().chunkBytes();
      }
      if (bytes > peakBytes) {
        peakBytes = bytes;
        peakEvent = event;
      }
    }
    for (PlacedChunk chunk : live) {
      all.add(chunk.endingAt(events + 1));
      chunks.add(all.getLast(), peakEvent);
    }
    long peak = peakEvent;
    List<PlacedChunk> atPeak = all.stream().filter(chunk -> chunk.isLiveAfter(peak)).toList();
    List<PlacedChunk> largest =
        all.stream()
            .filter(chunk -> !chunk.isLiveAfter(peak))
            .sorted(
                Comparator.comparingDouble(PlacedChunk::area)
                    .reversed()
                    .thenComparingLong(PlacedChunk::firstEvent))
            .limit(Math.max(0, maxChunks - atPeak.size()))
            .toList();

    List<PlacedChunk> kept = chunks.byFirstEvent(peak);
    assertThat(kept).containsAll(atPeak).containsAll(largest).doesNotHaveDuplicates();
    assertThat(kept).isSortedAccordingTo(Comparator.comparingLong(PlacedChunk::firstEvent));
    assertThat(kept)
        .hasSizeBetween(Math.min(all.size(), maxChunks), Math.max(maxChunks, atPeak.size()));
    assertThat(kept.size() + chunks.skippedCount()).isEqualTo(all.size());
  }
}
