package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests from both ends of one region. */
class BfcAllocatorTwoEndsTest {

  /** An end of the region. */
  enum End {
    LOW,
    HIGH;

    AllocationSource of(BfcAllocator allocator) {
      return this == LOW ? allocator : allocator.highEnd();
    }
  }

  /** The address of the first region of the simulated device. */
  private static final long BASE = 1L << 40;

  private static final long MIB = 1 << 20;

  private static BfcAllocator allocator(long limitBytes) {
    return allocator(BfcOptions.oneRegion(limitBytes).withTwoEnds());
  }

  private static BfcAllocator allocator(BfcOptions options) {
    return new BfcAllocator("gpu", ScriptedRegions.ascending(), options);
  }

  private static long low(BfcAllocator allocator, long bytes) {
    return allocator.allocate(bytes, 256) - BASE;
  }

  private static long high(BfcAllocator allocator, long bytes) {
    return allocator.highEnd().allocate(bytes, 256) - BASE;
  }

  // Placements, as in the tests of XLA.

  @Test
  void allocate_bothEnds_growTowardEachOther() {
    BfcAllocator allocator = allocator(4096);
    assertThat(low(allocator, 256)).isZero();
    assertThat(high(allocator, 256)).isEqualTo(3840);
    assertThat(high(allocator, 500)).isEqualTo(3328);
    assertThat(allocator.allocate(300) - BASE).isEqualTo(256); // no end is the low one
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_holeOfTheOtherEnd_isNotUsed() {
    BfcAllocator allocator = allocator(4096);
    long first = low(allocator, 1024);
    low(allocator, 256);
    allocator.free(BASE + first);
    assertThat(high(allocator, 1024)).isEqualTo(3072);
    assertThat(low(allocator, 1000)).isEqualTo(first);
  }

  @Test
  void allocate_ownHoles_areUsedAgain() {
    BfcAllocator allocator = allocator(4096);
    low(allocator, 256);
    long lowHole = low(allocator, 256);
    low(allocator, 256);
    high(allocator, 256);
    long highHole = high(allocator, 256);
    high(allocator, 256);
    allocator.free(BASE + lowHole);
    allocator.free(BASE + highHole);
    assertThat(low(allocator, 256)).isEqualTo(lowHole).isEqualTo(256);
    assertThat(high(allocator, 256)).isEqualTo(highHole).isEqualTo(3584);
  }

  @Test
  void allocate_highPartOfAHole_isTaken() {
    BfcAllocator allocator = allocator(8192);
    long hole = high(allocator, 2048);
    high(allocator, 256);
    allocator.free(BASE + hole);
    assertThat(high(allocator, 512)).isEqualTo(hole + 2048 - 512);
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_fromTheGap_takesNoMoreThanItsBytes() {
    BfcAllocator allocator = allocator(1024);
    low(allocator, 768); // any other chunk of 1024 would be taken as a whole
    assertThat(high(allocator, 256)).isEqualTo(768);
  }

  @Test
  void allocate_fromAHole_keepsTheRestAsOtherAllocators() {
    BfcAllocator allocator = allocator(8192);
    for (End end : End.values()) {
      long hole = end.of(allocator).allocate(1024, 256);
      end.of(allocator).allocate(256, 256);
      allocator.free(hole);
      assertThat(end.of(allocator).allocate(768, 256)).isEqualTo(hole);
      assertThat(allocator.allocation(hole).orElseThrow().bytes()).isEqualTo(1024);
    }
  }

  @ParameterizedTest
  @CsvSource({"LOW, 1024, 1280, 2816", "HIGH, 3072, 0, 2816"})
  void allocate_aligned_leavesAHoleOnTheSideOfItsEnd(
      End end, long aligned, long gapStart, long gapBytes) {
    BfcAllocator allocator = allocator(4096);
    end.of(allocator).allocate(256, 256);
    assertThat(end.of(allocator).allocate(256, 1024) - BASE).isEqualTo(aligned);
    allocator.internals().checkInvariants();
    End other = end == End.LOW ? End.HIGH : End.LOW;
    assertThat(other.of(allocator).allocate(gapBytes, 256) - BASE).isEqualTo(gapStart);
    allocator.internals().checkInvariants();
    // The hole between the two allocations belongs to their end.
    long hole = end == End.LOW ? 256 : 3328;
    assertThat(end.of(allocator).allocate(512, 256) - BASE).isEqualTo(hole);
  }

  @Test
  void free_nextToTheGap_joinsItWithTheHolesBehindIt() {
    BfcAllocator allocator = allocator(4096);
    long first = low(allocator, 1024);
    long second = low(allocator, 1024);
    long third = low(allocator, 2048); // the gap has no bytes now
    assertThat(allocator.highEnd().tryAllocate(1, 256)).isEmpty();
    allocator.internals().checkInvariants();
    allocator.free(BASE + second);
    assertThat(allocator.highEnd().tryAllocate(1, 256)).isEmpty();
    allocator.free(BASE + third);
    assertThat(high(allocator, 3072)).isEqualTo(1024);
    allocator.free(BASE + first);
    assertThat(low(allocator, 1024)).isZero();
    allocator.internals().checkInvariants();
  }

  @Test
  void free_everything_givesTheWholeRegionToEitherEnd() {
    BfcAllocator allocator = allocator(4096);
    for (int i = 0; i < 3; i++) {
      long whole = low(allocator, 4096);
      allocator.free(BASE + whole);
      whole = high(allocator, 4096);
      assertThat(whole).isZero();
      allocator.free(BASE + whole);
      allocator.internals().checkInvariants();
    }
    assertThat(allocator.trim().bytes()).isEqualTo(4096);
    allocator.internals().checkInvariants();
    assertThat(allocator.highEnd().allocate(256, 256)).isNotEqualTo(BASE + 3840); // a new region
    allocator.internals().checkInvariants();
    allocator.close();
  }

  // One end does not depend on the other.

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(60);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void allocate_anyRequestsAtTheOtherEnd_sameOffsets(long seed) {
    for (End end : End.values()) {
      List<Long> alone = offsets(seed, end, 0);
      assertThat(offsets(seed, end, seed + 1)).isEqualTo(alone);
      assertThat(offsets(seed, end, seed + 2)).isEqualTo(alone);
    }
  }

  /**
   * {@return the offsets of requests at an end, with other requests at the other end between them}
   */
  private static List<Long> offsets(long seed, End end, long otherSeed) {
    BfcAllocator allocator = allocator(512 * MIB);
    End other = end == End.LOW ? End.HIGH : End.LOW;
    Random random = new Random(seed);
    Random noise = new Random(otherSeed);
    List<Long> live = new ArrayList<>();
    List<Long> liveNoise = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      step(allocator, end, random, live).forEach(address -> offsets.add(address - BASE));
      for (int n = otherSeed == 0 ? 0 : noise.nextInt(4); n > 0; n--) {
        step(allocator, other, noise, liveNoise);
      }
    }
    return offsets;
  }

  private static List<Long> step(BfcAllocator allocator, End end, Random random, List<Long> live) {
    if (random.nextInt(5) < 2 && !live.isEmpty()) {
      allocator.free(live.remove(random.nextInt(live.size())));
      return List.of();
    }
    long address =
        end.of(allocator).allocate(1 + random.nextLong(2 * MIB), 256L << random.nextInt(5));
    live.add(address);
    return List.of(address);
  }

  // Requests and failures.

  // @throws IllegalStateException if the allocator has no high end
  @Test
  void highEnd_ofAnotherAllocator_throws() {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    assertThatIllegalStateException()
        .isThrownBy(allocator::highEnd)
        .withMessage(
            "allocator 'gpu' has no high end: create it with BfcOptions.oneRegion(limitBytes).withTwoEnds()");
    assertThat(allocator.allocate(1, 256)).isEqualTo(BASE);
  }

  @Test
  void highEnd_noWait_throwsIfThereIsNoRoom() {
    BfcAllocator allocator = allocator(4096);
    allocator.allocate(4096);
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> allocator.highEnd().allocateOrWait(1, 256, Duration.ZERO));
  }

  // @throws IllegalArgumentException if growth() is not ONE_REGION
  @Test
  void withTwoEnds_regionsThatGrow_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.expandable().withTwoEnds())
        .withMessage("two ends need one region, but growth=EXPANDABLE; use oneRegion(limitBytes)");
  }

  // @throws IllegalArgumentException if the options have a front cache
  @Test
  void withTwoEnds_frontCache_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.oneRegion(4096).withFrontCache(1024).withTwoEnds())
        .withMessage("two ends and a front cache exclude each other: frontCacheBytes=1024");
  }

  @Test
  void allocateOrWait_gapOfTheOtherEnd_waitsForItsFree() throws Exception {
    BfcAllocator allocator = allocator(4096);
    long whole = allocator.allocate(4096, 256);
    FutureTask<Long> request =
        new FutureTask<>(
            () -> allocator.highEnd().allocateOrWait(1024, 256, WaitingRequest.FOREVER));
    Thread.ofPlatform().daemon().start(request);
    while (allocator.waitingRequests() == 0) {
      Thread.onSpinWait();
    }
    allocator.free(whole);
    assertThat(request.get()).isEqualTo(BASE + 3072);
  }

  @Test
  void allocate_onlyHolesOfTheOtherEnd_failsAndSaysSo() {
    BfcAllocator allocator = allocator(4096);
    long hole = low(allocator, 2048);
    low(allocator, 256);
    allocator.free(BASE + hole);
    high(allocator, 1024);
    assertThat(allocator.statistics().largestFreeChunkBytes()).isEqualTo(2048);
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> high(allocator, 1500))
        .withMessageContaining(
            "Enough bytes are free, but no hole is large enough: of 2.75 KiB, the largest free"
                + " chunk has 768 bytes, 768 bytes too few. The request might have passed with a limit"
                + " higher by 768 bytes from the start.");
  }

  @Test
  void allocate_moreThanTheLimit_namesTheLimit() {
    BfcAllocator allocator = allocator(4096);
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> high(allocator, 5000))
        .withMessageContaining("with a limit higher by 1 KiB (1,024 bytes)");
    high(allocator, 4096);
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> low(allocator, 1))
        .withMessageContaining("with a limit higher by 256 bytes from the start.");
  }

  @Test
  void close_bothEndsInUse_returnsTheRegion() {
    BfcAllocator allocator = allocator(4096);
    low(allocator, 256);
    high(allocator, 256);
    assertThat(allocator.allocations()).hasSize(2);
    allocator.close();
    assertThat(allocator.regions()).isEmpty();
  }
}
