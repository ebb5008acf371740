package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of returned regions, and of the reasons of failed requests. */
class BfcAllocatorLimitsTest {

  private static final long MIB = 1 << 20;

  private final ScriptedRegions device = ScriptedRegions.ascending();

  private BfcAllocator allocator(BfcOptions options) {
    return new BfcAllocator("gpu", device, options);
  }

  private static void assertWorks(BfcAllocator allocator) {
    AllocatorStatistics before = allocator.statistics();
    allocator.internals().checkInvariants();
    long address = allocator.allocate(1000);
    allocator.internals().checkInvariants();
    allocator.free(address);
    allocator.internals().checkInvariants();
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(before.bytesInUse());
    assertThat(allocator.statistics().allocations()).isEqualTo(before.allocations() + 1);
  }

  // Returned regions.

  private BfcAllocator withFreeRegionsOf1And2And4And8Mebibytes(BfcOptions options) {
    BfcAllocator allocator = allocator(options);
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      addresses.add(allocator.allocate(MIB));
    }
    addresses.forEach(allocator::free);
    device.calls().clear();
    return allocator;
  }

  @Test
  void allocate_garbageCollection_givesBackOnlyAsManyRegionsAsNeeded() {
    BfcAllocator allocator =
        withFreeRegionsOf1And2And4And8Mebibytes(
            BfcOptions.growing().withLimit(16 * MIB).withGarbageCollection());
    allocator.allocate(9 * MIB);
    // 1 MiB was left; with the largest region, 9 MiB are.
    assertThat(device.calls()).containsExactly("free 8388608", "give 9437184");
    assertThat(allocator.regions().stream().map(BfcAllocator.Region::bytes))
        .containsExactly(MIB, 2 * MIB, 4 * MIB, 9 * MIB);
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_garbageCollectionCannotHelp_givesNothingBack() {
    BfcAllocator allocator =
        withFreeRegionsOf1And2And4And8Mebibytes(
            BfcOptions.growing().withLimit(16 * MIB).withGarbageCollection());
    assertThat(allocator.tryAllocate(16 * MIB + 1, 256)).isEmpty();
    // There may be no room for the padding.
    assertThat(allocator.tryAllocate(16 * MIB, 4096)).isEmpty();
    assertThat(device.calls()).isEmpty();
    assertWorks(allocator);
    assertThat(allocator.tryAllocate(16 * MIB, 256)).isPresent();
    assertThat(device.calls())
        .containsExactly(
            "free 8388608", "free 4194304", "free 2097152", "free 1048576", "give 16777216");
  }

  @Test
  void allocate_noGarbageCollection_givesNothingBack() {
    BfcAllocator allocator =
        withFreeRegionsOf1And2And4And8Mebibytes(BfcOptions.growing().withLimit(16 * MIB));
    assertThat(allocator.tryAllocate(9 * MIB, 256)).isEmpty();
    assertThat(device.calls()).isEmpty();
  }

  @Test
  void trim_someRegionsFree_givesThoseBack() {
    BfcAllocator allocator =
        withFreeRegionsOf1And2And4And8Mebibytes(BfcOptions.growing().withLimit(16 * MIB));
    long address = allocator.allocate(2 * MIB);
    assertThat(allocator.trim().bytes()).isEqualTo(13 * MIB);
    assertThat(allocator.trim().bytes()).isZero();
    allocator.free(address);
    assertThat(allocator.trim().bytes()).isEqualTo(2 * MIB);
    assertThat(device.held()).isEmpty();
    assertWorks(allocator);
  }

  // Out of memory.

  private static BfcOutOfMemoryException failure(
      BfcAllocator allocator, long bytes, long alignment) {
    return catchThrowableOfType(
        BfcOutOfMemoryException.class, () -> allocator.allocate(bytes, alignment));
  }

  @Test
  void allocate_aboveTheLimit_verdictNamesTheLimitThatWouldDo() {
    BfcAllocator allocator = allocator(BfcOptions.growing().withLimit(2 * MIB));
    allocator.allocate(256);
    BfcOutOfMemoryException e = failure(allocator, 8 * MIB, 256);
    assertThat(e)
        .hasMessage(
            "allocator 'gpu' is out of memory: requested=8388608, rounded=8388608, inUse=256,"
                + " free=1048320, largestFreeChunk=1048320, reserved=1048576, limit=2097152."
                + " A true shortage: the request and the bytes in use are 6291712 bytes more than the"
                + " limit. At this point, the request would have passed with a limit higher by 7340032 bytes");
    assertThat(e.verdict()).isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
    assertThat(e.requestedBytes()).isEqualTo(8 * MIB);
    assertThat(e.roundedBytes()).isEqualTo(8 * MIB);
    assertWorks(allocator);
    for (long limit : new long[] {9_437_183, 9_437_184}) {
      BfcAllocator other = allocator(BfcOptions.growing().withLimit(limit));
      other.allocate(256);
      assertThat(other.tryAllocate(8 * MIB, 256).isPresent()).isEqualTo(limit == 9_437_184);
    }
  }

  /*
   *   | 1 in use | 1 in use  1 free |  and 1 more MiB below the limit
   */
  @Test
  void allocate_freeAndUnreservedTogetherEnough_isNoFragmentation() {
    BfcAllocator allocator = allocator(BfcOptions.growing().withLimit(4 * MIB));
    allocator.allocate(MIB);
    allocator.allocate(MIB);
    assertThat(failure(allocator, MIB + MIB / 2, 256))
        .hasMessage(
            "allocator 'gpu' is out of memory: requested=1572864, rounded=1572864, inUse=2097152,"
                + " free=1048576, largestFreeChunk=1048576, reserved=3145728, limit=4194304."
                + " The limit is reached: it permits 1048576 more bytes, and the largest free"
                + " chunk has 1048576. At this point, the request would have passed with a limit higher by 524288 bytes, or"
                + " without allocation 2 of 1048576 bytes");
    assertWorks(allocator);
  }

  @Test
  void allocate_noRoomForTheAlignment_verdictCountsIt() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(MIB));
    assertThat(failure(allocator, MIB, 4096))
        .hasMessage(
            "allocator 'gpu' is out of memory: requested=1048576, rounded=1048576, inUse=0,"
                + " free=0, largestFreeChunk=0, reserved=0, limit=1048576."
                + " The limit is reached: it permits 1048576 more bytes, and the largest free"
                + " chunk has 0. At this point, the request would have passed with a limit higher by 3840 bytes");
    BfcAllocator higher = allocator(BfcOptions.oneRegion(MIB + 3840));
    assertThat(higher.allocate(MIB, 4096) % 4096).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 254})
  void allocate_moreThanAnyLimit_isRejectedWithTheReason(long bytes) {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    assertThat(failure(allocator, bytes, 256))
        .hasMessage(
            "allocator 'gpu' is out of memory: requested=%s, rounded=9223372036854775807, inUse=0,"
                    .formatted(bytes)
                + " free=0, largestFreeChunk=0, reserved=0, limit=none. A true shortage. No limit is"
                + " high enough");
    assertThat(failure(allocator, 1, 1L << 62)).isNull();
    assertThat(failure(allocator, 1L << 62, 1L << 62))
        .hasMessageEndingWith("No limit is high enough");
    assertWorks(allocator);
  }

  /*
   *   | free | in use | free | in use |   of 256 bytes each
   */
  @Test
  void allocate_freeBytesScattered_verdictIsFragmentation() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(1024));
    long[] addresses = new long[4];
    for (int i = 0; i < 4; i++) {
      addresses[i] = allocator.allocate(256);
    }
    allocator.free(addresses[0]);
    allocator.free(addresses[2]);
    BfcOutOfMemoryException e = failure(allocator, 300, 256);
    assertThat(e)
        .hasMessage(
            "allocator 'gpu' is out of memory: requested=300, rounded=512, inUse=512, free=512,"
                + " largestFreeChunk=256, reserved=1024, limit=1024. External fragmentation:"
                + " enough bytes are free, but the largest chunk is 256 bytes too small. At this point, the request would have"
                + " passed with a limit higher by 512 bytes, or without allocation 2 of 256 bytes");
    assertThat(e.verdict()).isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
    allocator.internals().checkInvariants();
    assertThat(allocator.allocate(256)).isEqualTo(addresses[0]);
  }

  @Test
  void allocate_largeEnoughChunkMisaligned_verdictIsFragmentation() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(4096));
    allocator.allocate(256);
    assertThat(failure(allocator, 3840, 512))
        .hasMessage(
            "allocator 'gpu' is out of memory: requested=3840, rounded=3840, inUse=256, free=3840,"
                + " largestFreeChunk=3840, reserved=4096, limit=4096. External fragmentation:"
                + " enough bytes are free, but no chunk has 3840 bytes at a multiple of 512. At this point, the request would have"
                + " passed with a limit higher by 256 bytes, or without allocation 1 of 256 bytes");
    assertWorks(allocator);
  }

  @Test
  void allocate_deviceRefuses_verdictIsTheDevice() {
    ScriptedRegions refusing = ScriptedRegions.giving(bytes -> false);
    BfcAllocator allocator = new BfcAllocator("gpu", refusing, BfcOptions.growing());
    BfcOutOfMemoryException e = failure(allocator, 1000, 1);
    assertThat(e)
        .hasMessage(
            "allocator 'gpu' is out of memory: requested=1000, rounded=1024, inUse=0, free=0,"
                + " largestFreeChunk=0, reserved=0, limit=none. The device refused"
                + " 1024 bytes that the limit permits");
    assertThat(e.verdict()).isEqualTo(OutOfMemoryVerdict.REFUSED);
    // A refusal has no effect on later requests.
    assertThat(failure(allocator, Long.MAX_VALUE, 1).verdict())
        .isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
    allocator.internals().checkInvariants();
  }
}
