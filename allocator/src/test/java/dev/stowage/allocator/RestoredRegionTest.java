package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.AllocatorInternals.XlaSpace;
import dev.stowage.allocator.internal.RestoredChunk;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Regions with chunks in use that another allocator had. */
class RestoredRegionTest {

  private static final long UNIT = 256;

  /** A device whose regions have the addresses that a test sets. */
  private static final class Device implements SubAllocator {

    private OptionalLong next = OptionalLong.empty();

    @Override
    public OptionalLong allocate(long bytes) {
      OptionalLong given = next;
      next = OptionalLong.empty();
      return given;
    }

    @Override
    public void free(long address, long bytes) {}

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      return true;
    }
  }

  private final Device device = new Device();
  private final BfcAllocator allocator =
      new BfcAllocator("test", device, BfcOptions.growing().withLimit(1 << 20));
  private final AllocatorInternals internals = AllocatorInternals.of(allocator);

  static LongStream seeds() {
    return Seeds.of(200);
  }

  /** The chunks are those of the low end; the region becomes longer at the high one. */
  @Test
  void restore_withTwoEnds_leavesTheGapBehindTheLastChunk() {
    long start = 1 << 20;
    device.next = OptionalLong.of(start);
    BfcAllocator twoEnds =
        new BfcAllocator("test", device, BfcOptions.oneRegion(4096).withTwoEnds());
    AllocatorInternals ends = AllocatorInternals.of(twoEnds);

    ends.restore(
        4096, List.of(new RestoredChunk(start + 256, 256), new RestoredChunk(start + 1024, 512)));

    assertThat(ends.allocate(256, 1, new XlaSpace(true, false))).isEqualTo(start + 3840);
    assertThat(ends.allocate(256, 1, new XlaSpace(false, true))).isEqualTo(start);
    assertThat(ends.allocate(256, 1, new XlaSpace(false, true))).isEqualTo(start + 512);
    ends.lengthen(1024);
    assertThat(ends.allocate(1024, 1, new XlaSpace(true, false))).isEqualTo(start + 4096);
    assertThat(ends.allocate(2304, 1, new XlaSpace(false, true))).isEqualTo(start + 1536);
    ends.checkInvariants();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void restore_anyChunks_areInUseAtTheirPlacesAndCanBeFreed(long seed) {
    Random random = new Random(seed);
    List<Long> addresses = new ArrayList<>();
    List<Long> regionBytes = new ArrayList<>();
    long inUse = 0;
    for (int region = 0; region < 1 + random.nextInt(3); region++) {
      long start = (region + 1) * (1L << 30);
      List<RestoredChunk> chunks = new ArrayList<>();
      long end = 0;
      long units = 1L + random.nextInt(60);
      while (end < units) {
        long bytes = 1 + random.nextLong(units - end);
        if (random.nextBoolean()) {
          chunks.add(new RestoredChunk(start + end * UNIT, bytes * UNIT));
          addresses.add(start + end * UNIT);
          inUse += bytes * UNIT;
        }
        end += bytes;
      }
      device.next = OptionalLong.of(start);
      internals.restore(units * UNIT, chunks);
      internals.checkInvariants();
      regionBytes.add(units * UNIT);
    }
    AllocatorStatistics statistics = allocator.statistics();
    assertThat(statistics.bytesInUse()).isEqualTo(inUse);
    assertThat(statistics.reservedBytes())
        .isEqualTo(regionBytes.stream().mapToLong(Long::longValue).sum());
    assertThat(allocator.allocations()).extracting(Allocation::address).isEqualTo(addresses);
    for (long address : addresses) {
      allocator.free(address);
      internals.checkInvariants();
    }
    assertThat(allocator.statistics().largestFreeChunkBytes())
        .isEqualTo(regionBytes.stream().mapToLong(Long::longValue).max().orElseThrow());
  }

  @Test
  void restore_chunksWithAHole_givesTheHoleToARequestThatFits() {
    device.next = OptionalLong.of(4096);
    internals.restore(
        10 * UNIT,
        List.of(new RestoredChunk(4096, UNIT), new RestoredChunk(4096 + 3 * UNIT, UNIT)));
    assertThat(allocator.allocate(2 * UNIT)).isEqualTo(4096 + UNIT);
    assertThat(allocator.allocate(6 * UNIT)).isEqualTo(4096 + 4 * UNIT);
    assertThatThrownBy(() -> allocator.allocate(1))
        .isInstanceOf(BfcOutOfMemoryException.class)
        .hasMessageContaining(
            "In use: 2.5 KiB; reserved: 2.5 KiB; limit: 1 MiB (1,048,576 bytes).");
  }

  @Test
  void restore_aRegionThatTheDeviceRefuses_isAnErrorAndChangesNothing() {
    assertThatThrownBy(() -> internals.restore(UNIT, List.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the sub-allocator refused a region: bytes=256");
    internals.checkInvariants();
    assertThat(allocator.statistics().reservedBytes()).isZero();
  }
}
