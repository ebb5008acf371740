package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
            "allocator 'gpu' is out of memory: 8 MiB (8,388,608 bytes) requested. The request"
                + " and the memory in use are 6 MiB more than the limit. The request would have"
                + " passed with a limit higher by 7 MiB (7,340,032 bytes). In use: 256 bytes;"
                + " reserved: 1 MiB; limit: 2 MiB (2,097,152 bytes).");
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
            "allocator 'gpu' is out of memory: 1.5 MiB (1,572,864 bytes) requested. No hole is"
                + " large enough: the largest free chunk has 1 MiB, and the limit permits 1 MiB more."
                + " The request would have passed with a limit higher by 512 KiB (524,288 bytes), or"
                + " without allocation 2 of 1 MiB (1,048,576 bytes). In use: 2 MiB; reserved: 3 MiB;"
                + " limit: 4 MiB (4,194,304 bytes).");
    assertWorks(allocator);
  }

  @Test
  void allocate_noRoomForTheAlignment_verdictCountsIt() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(MIB));
    assertThat(failure(allocator, MIB, 4096))
        .hasMessage(
            "allocator 'gpu' is out of memory: 1 MiB (1,048,576 bytes) requested. No hole is"
                + " large enough: no chunk is free, and the limit permits 1 MiB more. The request"
                + " would have passed with a limit higher by 3.75 KiB (3,840 bytes). In use: 0 bytes;"
                + " reserved: 0 bytes; limit: 1 MiB (1,048,576 bytes).");
    BfcAllocator higher = allocator(BfcOptions.oneRegion(MIB + 3840));
    assertThat(higher.allocate(MIB, 4096) % 4096).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 254})
  void allocate_moreThanAnyLimit_isRejectedWithTheReason(long bytes) {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    assertThat(failure(allocator, bytes, 256))
        .hasMessage(
            String.format(
                Locale.ROOT,
                "allocator 'gpu' is out of memory: 8 EiB (%,d bytes) requested. The request does not"
                    + " fit into any region. No limit is high enough. In use: 0 bytes; reserved: 0"
                    + " bytes; limit: none.",
                bytes));
    assertThat(failure(allocator, 1, 1L << 62)).isNull();
    assertThat(failure(allocator, 1L << 62, 1L << 62))
        .hasMessageContaining(" No limit is high enough. ");
    assertWorks(allocator);
  }

  /*
   *   | free | in use | free | in use |   of 256 bytes each
   */
  /** Unread buffers fill a pool of 2 GiB, as in OpenSearch#21861. */
  @Test
  void allocate_oneTagHoldsTheMemory_namesTheHolder() {
    BfcAllocator allocator =
        new BfcAllocator(
            "flight",
            ScriptedRegions.ascending().resizing(),
            BfcOptions.expandable().withLimit(2048 * MIB));
    AllocationTag.of("flight messages")
        .run(() -> {
          for (int query = 0; query < 13; query++) {
            for (int i = 0; i < 157; i++) {
              allocator.allocate(MIB);
            }
            allocator.allocate(190_000);
          }
          while (allocator.tryAllocate(64, 1).isPresent()) {}
        });
    AllocationTag.of("heartbeat")
        .run(() ->
            assertThat(failure(allocator, 16, 256))
                .hasMessage(
                    "allocator 'flight' is out of memory for 'heartbeat': 16 bytes requested,"
                        + " rounded up to 256 bytes. The request and the memory in use are 256 bytes"
                        + " more than the limit. 'flight messages' holds 2 GiB in 21,067 allocations."
                        + " The request would have passed with a limit higher by 256 bytes, or"
                        + " without allocation 2055 'flight messages' of 64 bytes. In use: 2 GiB;"
                        + " reserved: 2 GiB; limit: 2 GiB (2,147,483,648 bytes).")
                .extracting(BfcOutOfMemoryException::verdict)
                .isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT));
  }

  @Test
  void allocate_moreThanTheLimit_namesNoHolder() {
    BfcAllocator allocator = allocator(BfcOptions.expandable().withLimit(2 * MIB));
    AllocationTag.of("weights").run(() -> allocator.allocate(MIB));
    assertThat(failure(allocator, 3 * MIB, 256)).message().doesNotContain("holds");
  }

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
            "allocator 'gpu' is out of memory: 300 bytes requested, rounded up to 512 bytes."
                + " Enough bytes are free, but no hole is large enough: of 512 bytes, the largest"
                + " free chunk has 256 bytes, 256 bytes too few. The request would have passed with a"
                + " limit higher by 512 bytes, or without allocation 2 of 256 bytes. In use: 512"
                + " bytes; reserved: 1 KiB; limit: 1 KiB (1,024 bytes).");
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
            "allocator 'gpu' is out of memory: 3.75 KiB (3,840 bytes) requested. Enough bytes"
                + " are free, but no free chunk has 3.75 KiB at a multiple of 512 bytes. The request"
                + " would have passed with a limit higher by 4 KiB (4,096 bytes), or without"
                + " allocation 1 of 256 bytes, and might have passed with a limit higher by 256 bytes from"
                + " the start. In use: 256 bytes; reserved: 4 KiB; limit: 4 KiB (4,096 bytes).");
    assertWorks(allocator);
  }

  @Test
  void allocate_deviceRefuses_verdictIsTheDevice() {
    ScriptedRegions refusing = ScriptedRegions.giving(bytes -> false);
    BfcAllocator allocator = new BfcAllocator("gpu", refusing, BfcOptions.growing());
    BfcOutOfMemoryException e = failure(allocator, 1000, 1);
    assertThat(e)
        .hasMessage(
            "allocator 'gpu' is out of memory: 1,000 bytes requested, rounded up to 1 KiB. The"
                + " device refused 1 MiB (1,048,576 bytes) and smaller regions down to 1 KiB (1,024"
                + " bytes), which the limit permits. In use: 0 bytes; reserved: 0 bytes; limit: none.");
    assertThat(e.verdict()).isEqualTo(OutOfMemoryVerdict.REFUSED);
    // A refusal has no effect on later requests.
    assertThat(failure(allocator, Long.MAX_VALUE, 1).verdict())
        .isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
    allocator.internals().checkInvariants();
  }
}
