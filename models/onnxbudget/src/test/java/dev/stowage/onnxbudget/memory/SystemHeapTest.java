package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulated C library: resident memory with mappings, holes and freed ends. */
class SystemHeapTest {

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final long PAGE = 4 * KIB;

  private final SystemHeap heap = new SystemHeap();

  @Test
  void free_aboveTheFirstThreshold_returnsTheMapping() {
    heap.allocate(0, 10 * MIB, false);

    heap.free(0);

    assertThat(heap.residentBytes()).isZero();
    assertThat(heap.highestBytes()).isBetween(10 * MIB, 10 * MIB + 2 * PAGE);
  }

  @Test
  void free_betweenBlocks_keepsTheMemoryForLaterRequests() {
    heap.allocate(0, 100 * KIB, false);
    heap.allocate(1, 100 * KIB, false);

    heap.free(0);
    long kept = heap.residentBytes();
    heap.allocate(2, 100 * KIB, false);

    assertThat(kept).isGreaterThanOrEqualTo(200 * KIB);
    assertThat(heap.residentBytes()).isEqualTo(kept);
  }

  @Test
  void allocate_aligned_doesNotFitIntoAHoleOfItsSize() {
    heap.allocate(0, 100 * KIB, false);
    heap.allocate(1, KIB, false);
    heap.free(0);

    heap.allocate(2, 100 * KIB, true);

    assertThat(heap.residentBytes()).isGreaterThanOrEqualTo(200 * KIB);
  }

  @Test
  void allocate_afterAFreedMapping_takesHeapMemoryUpToItsSize() {
    heap.allocate(0, 4 * MIB, false);
    heap.free(0);
    heap.allocate(1, 4 * MIB, false);
    heap.allocate(2, KIB, false);

    heap.free(1);

    assertThat(heap.residentBytes()).isGreaterThanOrEqualTo(4 * MIB);
  }

  @Test
  void allocate_writtenInPart_isResidentInPart() {
    heap.allocate(0, 4 * MIB, 8 * KIB, false);

    assertThat(heap.residentBytes()).isBetween(8 * KIB, 8 * KIB + 2 * PAGE);
  }

  private static LongStream seeds() {
    return Seeds.of(50);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void randomRequests_residentBytes_areAtLeastTheLiveOnes(long seed) {
    Random random = new Random(seed);
    Map<Integer, Long> live = new HashMap<>();
    long liveBytes = 0;
    for (int id = 0; id < 400; id++) {
      long bytes = 1 + (long) (Math.exp(random.nextDouble() * 16) + 1);
      heap.allocate(id, bytes, random.nextBoolean());
      live.put(id, bytes);
      liveBytes += bytes;
      while (!live.isEmpty() && random.nextInt(3) == 0) {
        int freed = List.copyOf(live.keySet()).get(random.nextInt(live.size()));
        heap.free(freed);
        liveBytes -= Objects.requireNonNull(live.remove(freed));
      }
      assertThat(heap.residentBytes()).isGreaterThanOrEqualTo(liveBytes);
      assertThat(heap.highestBytes()).isGreaterThanOrEqualTo(heap.residentBytes());
    }
  }
}
