package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions whose end moves: the calls of the device. */
class BfcAllocatorExpandableTest {

  /** The address of the first region of the simulated device. */
  private static final long BASE = 1L << 40;

  private static final long MIB = 1 << 20;

  private final ScriptedRegions device = ScriptedRegions.ascending().resizing();

  private final BfcAllocator allocator =
      new BfcAllocator("gpu", device, BfcOptions.expandable().withSplitThreshold(1));

  /** Clears the recorded calls and {@return the allocator} */
  private BfcAllocator holding(BfcAllocator holder, long... bytes) {
    for (long each : bytes) {
      holder.allocate(each);
    }
    device.calls().clear();
    return holder;
  }

  // Growth.

  @Test
  void allocate_nothingFree_growsByTheRequest() {
    allocator.allocate(1000);
    allocator.allocate(512);
    allocator.allocate(1);
    assertThat(device.calls()).containsExactly("give 1024", "resize 1024 1536", "resize 1536 1792");
    assertThat(allocator.regions()).containsExactly(new BfcAllocator.Region(BASE, 1792));
    allocator.internals().checkInvariants();
  }

  /*
   *   | 1024 in use | 512 free |         a request of 2048
   *   | 1024 in use | 2048 in use  |
   */
  @Test
  void allocate_endFree_growsByTheLackingBytes() {
    holding(allocator, 1024, 512);
    allocator.free(BASE + 1024);
    assertThat(allocator.allocate(2048)).isEqualTo(BASE + 1024);
    assertThat(device.calls()).containsExactly("resize 1536 3072");
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_holeTooSmall_growsAtTheEnd() {
    holding(allocator, 1024, 512);
    allocator.free(BASE);
    assertThat(allocator.allocate(2048)).isEqualTo(BASE + 1536);
    assertThat(device.calls()).containsExactly("resize 1536 3584");
    assertThat(allocator.allocate(1024)).isEqualTo(BASE);
    allocator.internals().checkInvariants();
  }

  /*
   *   | 1024 in use | 3072 free | 256 in use |   the second at a multiple of 4096
   */
  @Test
  void allocate_endNotAligned_growsByThePaddingToo() {
    holding(allocator, 1024);
    assertThat(allocator.allocate(256, 4096)).isEqualTo(BASE + 4096);
    assertThat(device.calls()).containsExactly("resize 1024 4352");
    assertThat(allocator.allocate(3072)).isEqualTo(BASE + 1024);
    assertThat(device.calls()).hasSize(1);
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_endAligned_growsByNoPadding() {
    holding(allocator, 4096);
    assertThat(allocator.allocate(256, 4096)).isEqualTo(BASE + 4096);
    assertThat(device.calls()).containsExactly("resize 4096 4352");
  }

  /*
   *   | 1024 in use | 1024 free |   a request of 512 at a multiple of 4096 starts after it
   */
  @Test
  void allocate_freeEndNotAligned_usesItForThePadding() {
    holding(allocator, 1024, 1024);
    allocator.free(BASE + 1024);
    assertThat(allocator.allocate(512, 4096)).isEqualTo(BASE + 4096);
    assertThat(device.calls()).containsExactly("resize 2048 4608");
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_granularityOfTwoMebibytes_growsInItsMultiples() {
    device.withGranularity(2 * MIB);
    BfcAllocator coarse = new BfcAllocator("gpu", device, BfcOptions.expandable());
    coarse.allocate(1);
    coarse.allocate(3 * MIB);
    coarse.allocate(MIB - 256);
    assertThat(device.calls()).containsExactly("give 2097152", "resize 2097152 4194304");
    coarse.allocate(1);
    assertThat(device.calls()).endsWith("resize 4194304 6291456");
    coarse.internals().checkInvariants();
  }

  // Limits of the device and of the allocator.

  @Test
  void allocate_limit_isAskedForToTheLastByte() {
    BfcAllocator limited =
        holding(
            new BfcAllocator("gpu", device, BfcOptions.expandable().withLimit(2304)), 1024, 1024);
    assertThat(limited.tryAllocate(257, 256)).isEmpty();
    assertThat(device.calls()).isEmpty();
    assertThat(limited.tryAllocate(256, 256)).isPresent();
    assertThat(device.calls()).containsExactly("resize 2048 2304");
    assertThat(catchThrowableOfType(BfcOutOfMemoryException.class, () -> limited.allocate(300)))
        .hasMessage(
            "allocator 'gpu' is out of memory: 300 bytes requested, rounded up to 512 bytes."
                + " The request and the memory in use are 512 bytes more than the limit. The request"
                + " would have passed with a limit higher by 512 bytes, or without allocation 1 of 1"
                + " KiB (1,024 bytes). In use: 2.25 KiB; reserved: 2.25 KiB; limit: 2.25 KiB (2,304"
                + " bytes).");
  }

  @Test
  void allocate_limitNoMultipleOfTheGranularity_messageCountsTheUsableBytes() {
    device.withGranularity(4096);
    BfcAllocator coarse =
        new BfcAllocator("gpu", device, BfcOptions.expandable().withLimit(10_000));
    coarse.allocate(8000);
    assertThat(catchThrowableOfType(BfcOutOfMemoryException.class, () -> coarse.allocate(1000)))
        .hasMessage(
            "allocator 'gpu' is out of memory: 1,000 bytes requested, rounded up to 1 KiB. The"
                + " request and the memory in use are 1 KiB more than the 8 KiB of the limit that can"
                + " be used. The request would have passed with a limit higher by 2.23 KiB (2,288"
                + " bytes), or without allocation 1 of 7.81 KiB (8,000 bytes). In use: 8 KiB;"
                + " reserved: 8 KiB; limit: 9.77 KiB (10,000 bytes).");
    BfcAllocator higher =
        new BfcAllocator("gpu", device, BfcOptions.expandable().withLimit(12_288));
    higher.allocate(8000);
    assertThat(higher.tryAllocate(1000, 256)).isPresent();
  }

  @Test
  void allocate_refused_changesNothingAndReportsIt() {
    boolean[] gives = {true};
    ScriptedRegions moody = ScriptedRegions.giving(bytes -> gives[0]).resizing();
    BfcAllocator refused = new BfcAllocator("gpu", moody, BfcOptions.expandable().withLimit(4096));
    refused.allocate(2048);
    gives[0] = false;
    assertThat(catchThrowableOfType(BfcOutOfMemoryException.class, () -> refused.allocate(1024)))
        .hasMessage(
            "allocator 'gpu' is out of memory: 1 KiB (1,024 bytes) requested. The device"
                + " refused 1 KiB (1,024 bytes), which the limit permits. The request would have"
                + " passed without allocation 1 of 2 KiB (2,048 bytes). In use: 2 KiB; reserved: 2"
                + " KiB; limit: 4 KiB (4,096 bytes).");
    refused.free(BASE);
    refused.allocate(1024);
    // The end lacks 1024, which the limit allows; a region of 3072 is beyond the limit.
    moody.calls().clear();
    assertThat(catchThrowableOfType(BfcOutOfMemoryException.class, () -> refused.allocate(2560)))
        .hasMessage(
            "allocator 'gpu' is out of memory: 2.5 KiB (2,560 bytes) requested. The device"
                + " refused to lengthen a region, which the limit permits. The request might have"
                + " passed with a limit higher by 512 bytes. In use: 1 KiB; reserved: 2 KiB; limit: 4"
                + " KiB (4,096 bytes).");
    assertThat(moody.calls()).containsExactly("keep 2048 3584");
    refused.internals().checkInvariants();
    gives[0] = true;
    assertThat(refused.tryAllocate(2560, 256)).isPresent();
  }

  // Returned memory.

  /*
   *   | 1024 free | 1024 in use | 1024 free |
   */
  @Test
  void trim_endFree_givesItBackAndNamesWhatPinsTheRest() {
    holding(allocator, 1024);
    AllocationTag.of("weights").run(() -> allocator.allocate(1000));
    allocator.allocate(1024);
    allocator.free(BASE);
    allocator.free(BASE + 2048);
    device.calls().clear();
    TrimResult result = allocator.trim();
    assertThat(device.calls()).containsExactly("resize 3072 2048");
    Allocation pin = new Allocation(2, BASE + 1024, 1000, 1024, "weights", List.of());
    assertThat(result)
        .isEqualTo(
            new TrimResult(1024, List.of(new TrimResult.PinnedRegion(BASE, 2048, 1024, 1, pin))));
    assertThat(result.pinnedFreeBytes()).isEqualTo(1024);
    allocator.internals().checkInvariants();
    assertThat(allocator.trim().bytes()).isZero();
    allocator.free(BASE + 1024);
    assertThat(allocator.trim()).isEqualTo(new TrimResult(2048, List.of()));
    assertThat(device.held()).isEmpty();
    allocator.internals().checkInvariants();
  }

  @Test
  void trim_granularity_keepsTheStartedPiece() {
    device.withGranularity(2 * MIB);
    BfcAllocator coarse = new BfcAllocator("gpu", device, BfcOptions.expandable());
    coarse.allocate(3 * MIB);
    coarse.free(coarse.allocate(4 * MIB));
    device.calls().clear();
    TrimResult result = coarse.trim();
    assertThat(device.calls()).containsExactly("resize 8388608 4194304");
    assertThat(result.bytes()).isEqualTo(4 * MIB);
    assertThat(result.pinnedFreeBytes()).isEqualTo(MIB);
    assertThat(coarse.trim().bytes()).isZero();
    assertThat(device.calls()).hasSize(1);
    coarse.internals().checkInvariants();
  }

  @Test
  void trim_refused_changesNothing() {
    boolean[] gives = {true};
    ScriptedRegions moody = ScriptedRegions.giving(bytes -> gives[0]).resizing();
    BfcAllocator refused = new BfcAllocator("gpu", moody, BfcOptions.expandable());
    refused.allocate(1024);
    refused.free(refused.allocate(512));
    AllocatorStatistics before = refused.statistics();
    gives[0] = false;
    assertThat(refused.trim().bytes()).isZero();
    assertThat(moody.calls()).endsWith("keep 1536 1024");
    assertThat(refused.statistics()).isEqualTo(before);
    refused.internals().checkInvariants();
    assertThat(refused.allocate(512)).isEqualTo(BASE + 1024);
  }

  @Test
  void free_endReachesTheTrimThreshold_isGivenBackAtOnce() {
    BfcAllocator trimming =
        holding(
            new BfcAllocator("gpu", device, BfcOptions.expandable().withTrimThreshold(1024)),
            1024,
            512,
            512);
    trimming.free(BASE + 1536);
    assertThat(device.calls()).isEmpty();
    trimming.free(BASE + 1024);
    assertThat(device.calls()).containsExactly("resize 2048 1024");
    trimming.internals().checkInvariants();
    trimming.free(BASE);
    assertThat(device.calls()).endsWith("free 1024");
    assertThat(device.held()).isEmpty();
    trimming.internals().checkInvariants();
  }

  @Test
  void free_holeReachesTheTrimThreshold_isKept() {
    BfcAllocator trimming =
        holding(
            new BfcAllocator("gpu", device, BfcOptions.expandable().withTrimThreshold(1)),
            1024,
            512);
    trimming.free(BASE);
    assertThat(device.calls()).isEmpty();
    assertThat(trimming.trim().pinned())
        .extracting(TrimResult.PinnedRegion::freeBytes)
        .containsExactly(1024L);
  }

  // From TensorFlow's tests.

  @ParameterizedTest
  @ValueSource(ints = {0, 64, 127})
  void allocate_oneOf128Kept_theRestIsOneAgainOnlyWhereRegionsGrow(int kept) {
    BfcAllocator expandable =
        new BfcAllocator("gpu", device.withGranularity(2 * MIB), limited(BfcOptions.expandable()));
    BfcAllocator doubling =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), limited(BfcOptions.growing()));
    for (BfcAllocator each : List.of(expandable, doubling)) {
      List<Long> addresses = new ArrayList<>();
      for (int i = 0; i < 128; i++) {
        addresses.add(each.allocate(4 * MIB));
      }
      addresses.remove(kept);
      addresses.forEach(each::free);
      each.internals().checkInvariants();
    }
    // TensorFlow's test keeps the first or the last one. One in the middle divides the free memory.
    assertThat(expandable.tryAllocate(508 * MIB, 256).isPresent()).isEqualTo(kept != 64);
    assertThat(doubling.tryAllocate(508 * MIB, 256)).isEmpty();
  }

  private static BfcOptions limited(BfcOptions options) {
    return options.withLimit(512 * MIB);
  }
}
