package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BfcAllocatorTest {

  /** The address of the first region of the simulated device. */
  private static final long BASE = 1L << 40;

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

  // Mistakes of callers.

  // @throws IllegalArgumentException if bytes < 1
  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void allocate_noBytes_throws(long bytes) {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator.allocate(bytes))
        .withMessage("bytes must be positive: bytes=" + bytes);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator.tryAllocate(bytes, 256))
        .withMessage("bytes must be positive: bytes=" + bytes);
    assertWorks(allocator);
  }

  // @throws IllegalArgumentException if the alignment is no power of two
  @ParameterizedTest
  @ValueSource(longs = {0, -1, -256, 3, 384, Long.MAX_VALUE, Long.MIN_VALUE})
  void allocate_alignmentNoPowerOfTwo_throws(long alignment) {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator.allocate(1, alignment))
        .withMessage("alignment must be a power of two: alignment=" + alignment);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator.tryAllocate(1, alignment))
        .withMessage("alignment must be a power of two: alignment=" + alignment);
    assertWorks(allocator);
  }

  // @throws IllegalStateException if nothing is in use at address
  @Test
  void free_twice_throwsAndDescribesTheChunk() {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    long first = allocator.allocate(100);
    long second = allocator.allocate(100);
    allocator.free(first);
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(first))
        .withMessage(
            "allocator 'gpu' has nothing to free at 1099511627776: already free, inside free chunk"
                + " [1099511627776, 1099511628032)");
    assertWorks(allocator);
    allocator.free(second);
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(second))
        .withMessage(
            "allocator 'gpu' has nothing to free at 1099511628032: already free, inside free chunk"
                + " [1099511627776, 1099512676352)");
    assertWorks(allocator);
  }

  @Test
  void free_foreignAddress_throwsAndDescribesTheAddress() {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    for (int regions = 0; regions < 2; regions++) {
      for (long address : new long[] {0, -256, 4096, BASE - 1, BASE + MIB, Long.MIN_VALUE}) {
        assertThatIllegalStateException()
            .isThrownBy(() -> allocator.free(address))
            .withMessage(
                "allocator 'gpu' has nothing to free at %s: it lies in none of its %s regions"
                    .formatted(address, allocator.regions().size()));
      }
      assertWorks(allocator);
    }
  }

  @Test
  void free_addressInsideChunk_throwsAndDescribesTheChunk() {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    allocator.allocate(256);
    long address = allocator.allocate(1000);
    for (long inside : new long[] {address + 1, address + 256, address + 1023}) {
      assertThatIllegalStateException()
          .isThrownBy(() -> allocator.free(inside))
          .withMessage(
              "allocator 'gpu' has nothing to free at %s: inside chunk [1099511628032,"
                      .formatted(inside)
                  + " 1099511629056), allocation 2 of 1,000 bytes");
    }
    assertWorks(allocator);
    allocator.free(address);
    assertWorks(allocator);
  }

  // @throws IllegalStateException if the allocator is closed
  @Test
  void close_withChunksInUse_givesAllBackAndAnswersNoMore() {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    long inUse = allocator.allocate(100);
    long free = allocator.allocate(2 * MIB);
    allocator.free(free);
    allocator.close();
    allocator.close();
    assertThat(device.held()).isEmpty();
    for (long address : new long[] {inUse, free, 0}) {
      assertThatIllegalStateException()
          .isThrownBy(() -> allocator.free(address))
          .withMessage("allocator 'gpu' is closed");
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.allocate(1))
        .withMessage("allocator 'gpu' is closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.tryAllocate(1, 1))
        .withMessage("allocator 'gpu' is closed");
    assertThatIllegalStateException()
        .isThrownBy(allocator::trim)
        .withMessage("allocator 'gpu' is closed");
    allocator.internals().checkInvariants();
    AllocatorStatistics statistics = allocator.statistics();
    assertThat(statistics.chunksInUse()).isZero();
    assertThat(statistics.bytesInUse()).isZero();
    assertThat(statistics.requestedBytesInUse()).isZero();
    assertThat(statistics.freeBytes()).isZero();
    assertThat(statistics.largestFreeChunkBytes()).isZero();
    assertThat(device.calls()).hasSize(4);
  }

  @Test
  void options_thatNoAllocatorCanWorkWith_throw() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.growing().withLimit(255))
        .withMessage("limitBytes must be at least 256, the smallest chunk: limitBytes=255");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.growing().withFirstRegion(0))
        .withMessage("firstRegionBytes must be positive: firstRegionBytes=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.growing().withSplitThreshold(-1))
        .withMessage("splitThresholdBytes must be positive: splitThresholdBytes=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.oneRegion(Long.MAX_VALUE))
        .withMessage("an allocator with one region needs a limit: limitBytes=9223372036854775807");
  }

  // Growth and back-off.

  @Test
  void allocate_growing_regionsStartAtOneMebibyteAndDouble() {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    for (int i = 0; i < 15; i++) {
      allocator.allocate(MIB);
    }
    assertThat(device.calls())
        .containsExactly("give 1048576", "give 2097152", "give 4194304", "give 8388608");
    allocator.allocate(40 * MIB);
    allocator.allocate(30 * MIB);
    // The size was doubled to 64 MiB for the request: the next region is not larger.
    assertThat(device.calls()).endsWith("give 67108864", "give 67108864");
    allocator.internals().checkInvariants();
  }

  /** An allocator of a pool whose device has some bytes. */
  private BfcAllocator ofPool(List<Long> asked, long deviceBytes) {
    ScriptedRegions scarce =
        ScriptedRegions.giving(region -> {
          asked.add(region);
          return region <= deviceBytes;
        });
    BfcAllocator allocator = new BfcAllocator("gpu", scarce, BfcOptions.growing());
    allocator.internals().becomePool();
    return allocator;
  }

  @Test
  void allocate_poolAndDeviceHasTheNeededBytes_asksForTheseLast() {
    List<Long> asked = new ArrayList<>();
    BfcAllocator allocator = ofPool(asked, 5 * MIB);
    assertThat(allocator.tryAllocate(5 * MIB, 256)).isPresent();
    assertThat(asked).hasSize(6).endsWith(5 * MIB); // from 8 MiB on
    assertThat(catchThrowable(() -> allocator.allocate(6 * MIB)))
        .hasMessageContaining(
            "The device refused 10 MiB (10,485,760 bytes) and smaller regions down to 6 MiB"
                + " (6,291,456 bytes), which the limit permits.");
  }

  @Test
  void allocate_poolAndRefused_leavesNoTrace() {
    List<Long> asked = new ArrayList<>();
    BfcAllocator allocator = ofPool(asked, 32 << 20);
    assertThat(allocator.tryAllocate(1L << 37, 256)).isEmpty();
    asked.clear();
    allocator.allocate(1000);
    assertThat(asked).containsExactly(MIB);
  }

  @Test
  void allocate_poolOnAFullDevice_asksForFewSizes() {
    List<Long> asked = new ArrayList<>();
    long[] deviceBytes = {Long.MAX_VALUE};
    ScriptedRegions filling =
        ScriptedRegions.giving(region -> {
          asked.add(region);
          return region <= deviceBytes[0];
        });
    BfcAllocator allocator = new BfcAllocator("gpu", filling, BfcOptions.growing());
    allocator.internals().becomePool();
    allocator.allocate(1L << 37);
    deviceBytes[0] = 255;
    asked.clear();
    assertThat(allocator.tryAllocate(1000, 256)).isEmpty();
    assertThat(asked).hasSize(16).startsWith(1L << 37).endsWith(1024L);
    deviceBytes[0] = 1024;
    allocator.allocate(1000); // a region of 1 KiB
    asked.clear();
    deviceBytes[0] = Long.MAX_VALUE;
    allocator.allocate(1000);
    assertThat(asked).containsExactly(1024L);
  }

  @Test
  void allocate_firstRegionAboveEverything_isTheLimit() {
    BfcAllocator allocator =
        allocator(BfcOptions.growing().withLimit(MIB + 255).withFirstRegion(Long.MAX_VALUE));
    allocator.allocate(1);
    assertThat(device.calls()).containsExactly("give 1048576");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2048, 1 << 20, 1L << 40, 1L << 62})
  void allocate_deviceAlwaysRefuses_endsAndWorksAfterwards(long bytes) {
    List<Long> asked = new ArrayList<>();
    boolean[] gives = new boolean[1];
    ScriptedRegions refusing =
        ScriptedRegions.giving(region -> {
          asked.add(region);
          return gives[0];
        });
    BfcAllocator allocator = new BfcAllocator("gpu", refusing, BfcOptions.growing());
    assertThat(allocator.tryAllocate(bytes, 256)).isEmpty();
    assertThat(asked).hasSizeBetween(1, 1000).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    assertThat(asked).doesNotHaveDuplicates();
    assertThat(asked.getLast()).isGreaterThanOrEqualTo(bytes);
    gives[0] = true;
    assertWorks(allocator);
  }

  @Test
  void allocate_deviceGrantsLess_takesTheSmallerRegion() {
    ScriptedRegions small = ScriptedRegions.giving(bytes -> bytes <= 700_000);
    BfcAllocator allocator = new BfcAllocator("gpu", small, BfcOptions.growing());
    allocator.allocate(1000);
    assertThat(small.calls())
        .containsExactly(
            "refuse 1048576", "refuse 943872", "refuse 849664", "refuse 764928", "give 688640");
    assertThat(allocator.statistics().reservedBytes()).isEqualTo(688_640);
    assertWorks(allocator);
  }

  @Test
  void reuse_chunkInUse_isAFreeAndAnAllocationInPlace() {
    List<String> heard = new ArrayList<>();
    AllocationListener listener =
        new AllocationListener() {
          @Override
          public void allocated(Allocation allocation) {
            heard.add(allocation.id() + " of " + allocation.requestedBytes());
          }

          @Override
          public void freed(long id) {
            heard.add("free " + id);
          }

          @Override
          public void failed(long bytes) {}
        };
    BfcAllocator allocator = new BfcAllocator("gpu", device, BfcOptions.growing(), listener);
    long address = AllocationTag.of("first").call(() -> allocator.allocate(1000));
    AllocationTag.of("second").run(() -> allocator.reuse(address, 300));
    assertThat(heard).containsExactly("1 of 1000", "free 1", "2 of 300");
    Allocation now = allocator.allocation(address).orElseThrow();
    assertThat(now.tag()).isEqualTo("second");
    assertThat(now.bytes()).isEqualTo(1024);
    assertThat(allocator.statistics().allocations()).isEqualTo(2);
    assertThat(allocator.statistics().requestedBytesInUse()).isEqualTo(300);
    allocator.internals().checkInvariants();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator.reuse(address, 1025))
        .withMessage(
            "a chunk of allocator 'gpu' is too small to be reused for the request: bytes=1025, chunk=1024, address=0x%x",
            address);
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.reuse(address, 0));
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.reuse(address + 256, 1))
        .withMessageStartingWith("allocator 'gpu' has nothing to free at ");
    allocator.free(address);
    allocator.internals().checkInvariants();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE - (1 << 20) + 257, Long.MAX_VALUE - 255, -(1L << 20), -256})
  void allocate_regionEndsBeyondAllAddresses_throwsAndGivesItBack(long address) {
    List<Long> freed = new ArrayList<>();
    SubAllocator beyond =
        new SubAllocator() {
          @Override
          public OptionalLong allocate(long bytes) {
            return OptionalLong.of(address);
          }

          @Override
          public void free(long freedAddress, long bytes) {
            freed.add(freedAddress);
            freed.add(bytes);
          }
        };
    BfcAllocator allocator = new BfcAllocator("gpu", beyond, BfcOptions.growing());
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.allocate(1))
        .withMessage(
            "the sub-allocator of 'gpu' returned a region that ends beyond 2^63: address=0x%x, bytes=1048576",
            address);
    assertThat(freed).containsExactly(address, 1L << 20);
    assertThat(allocator.statistics().reservedBytes()).isZero();
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_regionAtTheEndOfAllAddresses_growsNoFurther() {
    List<Long> resized = new ArrayList<>();
    SubAllocator last =
        new SubAllocator() {
          @Override
          public OptionalLong allocate(long bytes) {
            return resized.isEmpty() && bytes == 256
                ? OptionalLong.of(Long.MAX_VALUE - 511)
                : OptionalLong.empty();
          }

          @Override
          public void free(long address, long bytes) {}

          @Override
          public boolean resize(long address, long bytes, long newBytes) {
            resized.add(newBytes);
            return true;
          }
        };
    BfcAllocator allocator = new BfcAllocator("gpu", last, BfcOptions.expandable());
    allocator.allocate(1);
    assertThat(allocator.tryAllocate(1000, 256)).isEmpty();
    assertThat(resized).isEmpty();
  }

  @Test
  void allocate_regionMisaligned_throwsAndGivesItBack() {
    List<Long> freed = new ArrayList<>();
    SubAllocator misaligned =
        new SubAllocator() {
          @Override
          public OptionalLong allocate(long bytes) {
            return OptionalLong.of(1000);
          }

          @Override
          public void free(long address, long bytes) {
            freed.add(address);
            freed.add(bytes);
          }
        };
    BfcAllocator allocator = new BfcAllocator("gpu", misaligned, BfcOptions.growing());
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.allocate(1))
        .withMessage(
            "the sub-allocator of 'gpu' returned a region at an address that is not a multiple of 256:"
                + " address=1000");
    assertThat(freed).containsExactly(1000L, MIB);
    assertThat(allocator.statistics().reservedBytes()).isZero();
    allocator.internals().checkInvariants();
  }

  // Splitting and statistics.

  /*
   *   |          2560          |   a request of 1536 would leave 1024: less than itself
   */
  @Test
  void allocate_restBelowRequestAndThreshold_takesTheWholeChunk() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(2560).withSplitThreshold(1025));
    allocator.allocate(1500);
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(2560);
    assertThat(allocator.statistics().largestChunkBytes()).isEqualTo(2560);
    assertThat(allocator.statistics().internalFragmentation())
        .isEqualTo(1 - 1500 / 2560.0, within(1e-12));
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_restReachesThreshold_splits() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(2560).withSplitThreshold(1024));
    allocator.allocate(1500);
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(1536);
    assertThat(allocator.statistics().largestFreeChunkBytes()).isEqualTo(1024);
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_restReachesRequest_splits() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(3072));
    allocator.allocate(1500);
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(1536);
    allocator.internals().checkInvariants();
  }

  @Test
  void statistics_freshAllocator_hasNoFragmentation() {
    AllocatorStatistics statistics = allocator(BfcOptions.growing()).statistics();
    assertThat(statistics)
        .isEqualTo(new AllocatorStatistics(0, 0, 0, 0, 0, 0, Long.MAX_VALUE, 0, 0, 0));
    assertThat(statistics.externalFragmentation()).isZero();
    assertThat(statistics.internalFragmentation()).isZero();
  }

  /*
   *   | used |  free  | used |  free  |   of 256 bytes each
   */
  @Test
  void statistics_holes_bothFragmentations() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(1024));
    long[] addresses = new long[4];
    for (int i = 0; i < 4; i++) {
      addresses[i] = allocator.allocate(192);
    }
    assertThat(allocator.statistics().externalFragmentation()).isZero();
    allocator.free(addresses[1]);
    allocator.free(addresses[3]);
    assertThat(allocator.statistics())
        .isEqualTo(new AllocatorStatistics(4, 2, 384, 512, 1024, 256, 1024, 1024, 1024, 256));
    assertThat(allocator.statistics().externalFragmentation()).isEqualTo(0.5);
    assertThat(allocator.statistics().internalFragmentation()).isEqualTo(0.25);
  }

  @Test
  void clearPeaks_afterAPeak_peaksAreTheCurrentValues() {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    allocator.allocate(1024);
    long large = allocator.allocate(2 * MIB);
    allocator.free(large);
    allocator.trim();
    assertThat(allocator.statistics().peakBytesInUse()).isEqualTo(1024 + 2 * MIB);
    assertThat(allocator.statistics().peakReservedBytes()).isEqualTo(3 * MIB);
    allocator.clearPeaks();
    assertThat(allocator.statistics())
        .isEqualTo(
            new AllocatorStatistics(
                2, 1, 1024, 1024, 1024, 0, Long.MAX_VALUE, MIB, MIB, MIB - 1024));
  }

  // From TensorFlow's tests.

  @Test
  void allocate_everySizeTo1023_noDuplicatesAndTheReferencesTotals() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(1 << 30));
    Set<Long> addresses = new HashSet<>();
    for (int bytes = 1; bytes < 1024; bytes++) {
      addresses.add(allocator.allocate(bytes));
    }
    assertThat(addresses).hasSize(1023);
    AllocatorStatistics statistics = allocator.statistics();
    assertThat(statistics.allocations()).isEqualTo(1023);
    assertThat(statistics.bytesInUse()).isEqualTo(654_336);
    assertThat(statistics.peakBytesInUse()).isEqualTo(654_336);
    assertThat(statistics.largestChunkBytes()).isEqualTo(1024);
    allocator.internals().checkInvariants();
  }

  @Test
  void free_manyRounds_coalescesToTheFirstAddress() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(1 << 30));
    long first = allocator.allocate(4096);
    allocator.free(first);
    for (int round = 0; round < 1024; round++) {
      long a = allocator.allocate(4096);
      long b = allocator.allocate(8 * MIB);
      long c = allocator.allocate(16_384);
      long d = allocator.allocate(40 * MIB);
      allocator.free(a);
      allocator.free(b);
      allocator.free(c);
      allocator.free(d);
    }
    AllocatorStatistics statistics = allocator.statistics();
    assertThat(statistics.allocations()).isEqualTo(4097);
    assertThat(statistics.bytesInUse()).isZero();
    assertThat(statistics.peakBytesInUse()).isEqualTo(4096 + 8 * MIB + 16_384 + 40 * MIB);
    assertThat(statistics.largestChunkBytes()).isEqualTo(40 * MIB);
    assertThat(statistics.largestFreeChunkBytes()).isEqualTo(1 << 30);
    assertThat(allocator.allocate(4096)).isEqualTo(first);
    allocator.internals().checkInvariants();
  }
}
