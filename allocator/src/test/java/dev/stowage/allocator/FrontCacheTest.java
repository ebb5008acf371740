package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrontCacheTest {

  private static final long BASE = 1L << 40;
  private static final long MIB = 1 << 20;

  private static BfcAllocator allocator(BfcOptions options) {
    return new BfcAllocator("gpu", ScriptedRegions.ascending(), options);
  }

  private static BfcAllocator cached() {
    return allocator(BfcOptions.growing().withFrontCache(MIB));
  }

  @Test
  void allocate_sameRoundedSize_takesTheChunkFreedLast() {
    BfcAllocator allocator = cached();
    long[] addresses = LongStream.range(0, 4).map(_ -> allocator.allocate(1000)).toArray();
    allocator.free(addresses[2]);
    allocator.free(addresses[0]);
    assertThat(allocator.allocate(769)).isEqualTo(addresses[0]);
    assertThat(allocator.allocate(1024)).isEqualTo(addresses[2]);
  }

  @Test
  void allocate_withoutTheOption_takesTheBestFit() {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    long[] addresses = LongStream.range(0, 4).map(_ -> allocator.allocate(1000)).toArray();
    allocator.free(addresses[2]);
    allocator.free(addresses[0]);
    assertThat(allocator.allocate(1000)).isEqualTo(addresses[0]);
    assertThat(allocator.options().frontCacheBytes()).isZero();
  }

  @Test
  void allocate_otherSizeOrAlignment_doesNotTakeTheChunk() {
    BfcAllocator allocator = cached();
    long address = allocator.allocate(1000);
    allocator.allocate(1);
    allocator.free(address);
    assertThat(allocator.allocate(700)).isNotEqualTo(address);
    assertThat(allocator.allocate(1000, 4096)).isNotEqualTo(address);
    assertThat(allocator.allocate(1000, 1)).isEqualTo(address);
  }

  @Test
  void allocate_upToAnEighthLess_takesTheSmallestChunk() {
    BfcAllocator allocator =
        allocator(BfcOptions.growing().withSplitThreshold(256).withFrontCache(16 * MIB));
    allocator.free(allocator.allocate(64 * MIB)); // more than the cache takes
    long small = allocator.allocate(900 << 10);
    long large = allocator.allocate(990 << 10);
    allocator.free(large);
    allocator.free(small);
    assertThat(allocator.allocate(780 << 10)).as("more than an eighth").isNotIn(small, large);
    assertThat(allocator.allocate(800 << 10)).isEqualTo(small);
    assertThat(allocator.allocate(920 << 10)).isEqualTo(large);
    assertThat(allocator.statistics().requestedBytesInUse()).isEqualTo((780 + 800 + 920) << 10);
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_everSmallerWithReadsBetween_takesNoChunkThatIsAnEighthLarger() {
    BfcAllocator allocator = allocator(BfcOptions.growing().withFrontCache(16 * MIB));
    allocator.allocate(10 * MIB); // so that the rest of the region is another chunk
    long chunk = allocator.allocate(100_096);
    allocator.allocate(256);
    long address = chunk;
    for (long bytes = 100_096; address == chunk; bytes -= 8_000) {
      assertThat(bytes).isGreaterThan(100_096 - 100_096 / 8 - 8_000);
      allocator.free(chunk);
      address = allocator.allocate(bytes);
      allocator.statistics(); // takes all chunks back from the cache
    }
  }

  @Test
  void allocate_smallerChunkInTheClassOfTheRequest_takesTheNextClass() {
    BfcAllocator allocator = allocator(BfcOptions.growing().withFrontCache(16 * MIB));
    allocator.free(allocator.allocate(64 * MIB)); // more than the cache takes
    long next = allocator.allocate(1000 << 10);
    long smaller = allocator.allocate(960 << 10);
    allocator.free(next);
    allocator.free(smaller);
    assertThat(allocator.allocate(970 << 10)).isEqualTo(next);
    assertThat(allocator.allocate(970 << 10)).isNotEqualTo(smaller);
    assertThat(allocator.allocate(960 << 10)).isEqualTo(smaller);
  }

  @Test
  void free_twice_throwsWithTheFreeChunkAround() {
    BfcAllocator allocator = cached();
    long address = allocator.allocate(1000);
    allocator.allocate(1);
    for (int i = 0; i < 2; i++) {
      allocator.free(address);
      assertThatIllegalStateException()
          .isThrownBy(() -> allocator.free(address))
          .withMessage(
              "allocator 'gpu' has nothing to free at 1099511627776: already free, inside free"
                  + " chunk [1099511627776, 1099511628800)");
      assertThat(allocator.allocate(1000)).isEqualTo(address);
    }
  }

  @Test
  void free_insideAChunkThatWasCached_throwsWithItsAllocation() {
    BfcAllocator allocator = cached();
    allocator.free(allocator.allocate(1000));
    long address = AllocationTag.of("encoder").call(() -> allocator.allocate(900));
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(address + 256))
        .withMessage(
            "allocator 'gpu' has nothing to free at 1099511628032: inside chunk [1099511627776,"
                + " 1099511628800), allocation 2 'encoder' of 900 bytes");
  }

  @Test
  void reports_cachedChunks_areFreeAndMerged() {
    BfcAllocator allocator = cached();
    for (int i = 0; i < 4; i++) {
      allocator.free(allocator.allocate(1000));
    }
    AllocationTag.of("encoder").run(() -> allocator.allocate(1000));
    long second = allocator.allocate(500);
    allocator.free(second);
    assertThat(allocator.statistics().allocations()).isEqualTo(6);
    assertThat(allocator.statistics().chunksInUse()).isEqualTo(1);
    assertThat(allocator.statistics().requestedBytesInUse()).isEqualTo(1000);
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(1024);
    assertThat(allocator.statistics().largestFreeChunkBytes()).isEqualTo(MIB - 1024);
    assertThat(allocator.allocations()).hasSize(1).allMatch(each -> each.tag().equals("encoder"));
    assertThat(allocator.inUse().allocations()).hasSize(1);
    assertThat(allocator.chunks().getFirst().chunks()).hasSize(2);
    assertThat(allocator.allocation(BASE)).map(Allocation::requestedBytes).contains(1000L);
    assertThat(allocator.allocation(second)).isEmpty();
    allocator.internals().checkInvariants();
  }

  /** An id stays the same until the allocation is freed, and no other one gets it. */
  @Test
  void allocations_readTwice_haveTheSameIds() {
    BfcAllocator allocator = cached();
    long first = allocator.allocate(1000);
    allocator.free(first);
    allocator.allocate(1000);
    long id = allocator.allocation(first).orElseThrow().id();
    allocator.allocate(1000);
    assertThat(allocator.allocations().getFirst().id()).isEqualTo(id);
    assertThat(allocator.allocations().getLast().id()).isGreaterThan(id);
    allocator.free(first);
    allocator.allocate(1000);
    assertThat(allocator.allocation(first).orElseThrow().id()).isGreaterThan(id);
  }

  @Test
  void allocate_noRoomBesideTheCache_emptiesItFirst() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(MIB).withFrontCache(MIB));
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      addresses.add(allocator.allocate(MIB / 16));
    }
    addresses.forEach(allocator::free);
    assertThat(allocator.tryAllocate(MIB, 1)).isEqualTo(OptionalLong.of(BASE));
  }

  @Test
  void allocate_moreMemoryThanHeld_emptiesTheCacheAfterManyHits() {
    BfcAllocator allocator = allocator(BfcOptions.growing().withFrontCache(MIB));
    long[] parts = new long[32];
    Arrays.setAll(parts, _ -> allocator.allocate(MIB / 32));
    Arrays.stream(parts).forEach(allocator::free);
    long added = allocator.allocate(MIB);
    assertThat(added).as("in a new region, as there was no hit").isGreaterThan(parts[31]);
    for (int i = 0; i < 16; i++) {
      Arrays.setAll(parts, _ -> allocator.allocate(MIB / 32));
      Arrays.stream(parts).forEach(allocator::free);
    }
    assertThat(allocator.allocate(MIB)).as("in the new region").isEqualTo(added + MIB);
    assertThat(allocator.allocate(MIB)).as("all parts").isEqualTo(BASE);
  }

  @Test
  void allocate_moreMemoryThanHeldBesideFewChunks_emptiesTheCache() {
    BfcAllocator allocator = allocator(BfcOptions.growing().withFrontCache(MIB));
    long part = allocator.allocate(MIB / 4);
    allocator.free(part);
    assertThat(allocator.allocate(MIB)).isEqualTo(part);
  }

  @Test
  void trim_cachedChunks_areReturned() {
    BfcAllocator allocator = cached();
    allocator.free(allocator.allocate(1000));
    assertThat(allocator.trim().bytes()).isEqualTo(MIB);
    assertThat(allocator.regions()).isEmpty();
  }

  @Test
  void close_allocationsFromTheCache_areReturnedWithTheirRegions() {
    ScriptedRegions device = ScriptedRegions.ascending();
    BfcAllocator allocator =
        new BfcAllocator("gpu", device, BfcOptions.growing().withFrontCache(MIB));
    long address = allocator.allocate(1000);
    allocator.free(address);
    allocator.allocate(1000);
    allocator.close();
    assertThat(device.held()).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.allocate(1000))
        .withMessage("allocator 'gpu' is closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(address))
        .withMessage("allocator 'gpu' is closed");
    allocator.internals().checkInvariants();
  }

  @Test
  void free_otherThread_freesTheChunkOnce() {
    BfcAllocator allocator = cached();
    long address = allocator.allocate(1000);
    allocator.free(address);
    assertThat(allocator.allocate(1000)).isEqualTo(address);
    for (int i = 0; i < 20; i++) { // threads of all stripes
      CompletableFuture.runAsync(
              () -> {
                allocator.free(address);
                assertThatIllegalStateException().isThrownBy(() -> allocator.free(address));
                assertThat(allocator.allocate(1000)).isEqualTo(address);
              },
              task -> Thread.ofVirtual().start(task))
          .join();
      allocator.internals().checkInvariants();
    }
    assertThat(allocator.statistics().allocations()).isEqualTo(22);
  }

  @Test
  void free_moreBytesThanTheLimit_emptiesTheCache() {
    BfcAllocator allocator = allocator(BfcOptions.growing().withFrontCache(4096));
    long[] addresses = LongStream.range(0, 6).map(_ -> allocator.allocate(1024)).toArray();
    for (int i = 0; i < 5; i++) {
      allocator.free(addresses[i]);
      allocator.internals().checkInvariants();
    }
    assertThat(allocator.allocate(1024)).as("in the cache").isEqualTo(addresses[4]);
    assertThat(allocator.allocate(1024)).as("the best fit").isEqualTo(addresses[0]);
  }

  @Test
  void free_moreThan65536Chunks_emptiesTheCache() {
    BfcAllocator allocator = allocator(BfcOptions.growing().withFrontCache(1L << 40));
    long[] addresses = LongStream.range(0, 65_538).map(_ -> allocator.allocate(256)).toArray();
    List<BfcAllocator.Region> regions = allocator.regions();
    Arrays.stream(addresses).limit(65_537).forEach(allocator::free);
    allocator.internals().checkInvariants();
    assertThat(allocator.allocate(256)).as("in the cache").isEqualTo(addresses[65_536]);
    allocator.allocate(MIB);
    assertThat(allocator.regions()).isEqualTo(regions);
  }

  @Test
  void free_chunkLargerThanTheLimit_mergesIt() {
    BfcAllocator allocator = allocator(BfcOptions.growing().withFrontCache(1000));
    long address = allocator.allocate(1000);
    allocator.free(address);
    assertThat(allocator.allocate(MIB)).isEqualTo(address);
  }

  @Test
  void anySizes_moreThanAStripeHoldsAtFirst_areFoundAgain() {
    BfcAllocator allocator = allocator(BfcOptions.growing().withFrontCache(1L << 40));
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      addresses.add(allocator.allocate(256L * (1 + i)));
    }
    for (int round = 0; round < 3; round++) {
      addresses.forEach(allocator::free);
      allocator.internals().checkInvariants();
      for (int i = 0; i < 3000; i++) {
        addresses.set(i, allocator.allocate(256L * (1 + i)));
      }
      allocator.internals().checkInvariants();
    }
    assertThat(allocator.statistics().chunksInUse()).isEqualTo(3000);
    assertThat(allocator.statistics().allocations()).isEqualTo(12_000);
  }

  @Test
  void reuse_chunkFromTheCache_countsBoth() {
    BfcAllocator allocator = cached();
    allocator.free(allocator.allocate(1000));
    long address = allocator.allocate(1000);
    allocator.reuse(address, 10);
    assertThat(allocator.allocation(address)).map(Allocation::requestedBytes).contains(10L);
    assertThat(allocator.statistics().allocations()).isEqualTo(3);
    allocator.free(address);
    assertThat(allocator.allocate(10)).as("split again").isEqualTo(address);
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(256);
  }

  @Test
  void budget_chunkFromTheCache_isNotCharged() {
    BfcAllocator allocator = cached();
    AllocationBudget budget = AllocationBudget.root("all", allocator, 4096);
    long own = budget.allocate(1000);
    long free = allocator.allocate(1000);
    allocator.free(free);
    assertThat(allocator.allocate(1000)).isEqualTo(free);
    assertThat(budget.account().usedBytes()).isEqualTo(1024);
    allocator.free(own);
    assertThat(budget.account().usedBytes()).isZero();
    assertThat(budget.allocate(1000)).isNotEqualTo(free);
    allocator.internals().checkInvariants();
  }

  @Test
  void listenerAndStacks_everyRequest_areNotified() {
    RecordingListener listener = RecordingListener.onFreed(_ -> {});
    BfcOptions options = BfcOptions.growing().withFrontCache(MIB);
    BfcAllocator heard = new BfcAllocator("gpu", ScriptedRegions.ascending(), options, listener);
    BfcAllocator stacked = allocator(options.withStacks());
    for (BfcAllocator allocator : List.of(heard, stacked)) {
      allocator.free(allocator.allocate(1000));
      allocator.free(allocator.allocate(1000));
      allocator.allocate(1000);
    }
    assertThat(listener.heard())
        .containsExactly("allocated 1", "freed 1", "allocated 2", "freed 2", "allocated 3");
    assertThat(stacked.allocations().getFirst().stack()).isNotEmpty();
  }

  enum Call {
    ALLOCATE,
    FREE_CACHED
  }

  /** A sub-allocator that calls the allocator gets an exception, also if the cache could answer. */
  @ParameterizedTest
  @EnumSource
  void subAllocator_callsTheAllocator_throws(Call call) {
    List<Runnable> calls = new ArrayList<>();
    SubAllocator device =
        new SubAllocator() {
          private long end = BASE;

          @Override
          public OptionalLong allocate(long bytes) {
            calls.forEach(Runnable::run);
            end += bytes;
            return OptionalLong.of(end - bytes);
          }

          @Override
          public void free(long address, long bytes) {}
        };
    BfcAllocator allocator =
        new BfcAllocator("gpu", device, BfcOptions.growing().withFrontCache(MIB));
    allocator.free(allocator.allocate(1000));
    long address = allocator.allocate(1000);
    calls.add(
        call == Call.ALLOCATE ? () -> allocator.allocate(1000) : () -> allocator.free(address));
    calls.add(allocator::statistics);
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.allocate(2 * MIB))
        .withMessageStartingWith("the sub-allocator of allocator 'gpu' must not call it");
    assertThat(allocator.statistics().chunksInUse()).isEqualTo(1);
    allocator.internals().checkInvariants();
  }

  @Test
  void options_badLimits_throw() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.growing().withFrontCache(-1))
        .withMessage("frontCacheBytes must not be negative: frontCacheBytes=-1");
    assertThat(BfcOptions.growing().withFrontCache(7).withStacks().toString())
        .endsWith("hasStacks=true, frontCacheBytes=7]");
  }
}
