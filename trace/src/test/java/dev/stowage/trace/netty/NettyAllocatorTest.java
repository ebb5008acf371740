package dev.stowage.trace.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.replay.PoolNumber;
import dev.stowage.trace.replay.ReservedBytes;
import dev.stowage.trace.replay.ReservedMemory;
import dev.stowage.trace.replay.ReservedPart;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class NettyAllocatorTest {

  private static final long LOOP = 30;
  private static final long OTHER_LOOP = 31;
  private static final int KIB = 1 << 10;

  static LongStream seeds() {
    return Seeds.of(40);
  }

  private static SimulatedAllocator allocator(String settings, OptionalLong limitBytes) {
    SimulatedAllocator allocator =
        new NettyRules(Optional.of(NettySettings.parse(settings)), limitBytes)
            .start(Optional.empty());
    allocator.noteProgram(
        new RecordedProgram(
            "-Dio.netty.availableProcessors=2", Set.of(LOOP, OTHER_LOOP), OptionalLong.empty()));
    return allocator;
  }

  private static SimulatedAllocator allocator(String settings) {
    return allocator(settings, OptionalLong.empty());
  }

  private static long allocate(SimulatedAllocator allocator, long bytes, long thread) {
    return allocator.allocate(bytes, thread, PoolNumber.DEFAULT);
  }

  @Test
  void allocate_adaptive_takesAChunkOfTheThreadForEachSizeClass() {
    SimulatedAllocator allocator = allocator("");
    allocate(allocator, 100, LOOP);
    allocate(allocator, 128, LOOP);
    allocate(allocator, 129, LOOP);
    allocate(allocator, 100, OTHER_LOOP);

    assertThat(allocator.regions())
        .extracting(SimulatedAllocator.Region::bytes, SimulatedAllocator.Region::owner)
        .containsExactly(
            tuple(128L * KIB, "thread 30, buffers of 128 bytes"),
            tuple(128L * KIB, "thread 30, buffers of 256 bytes"),
            tuple(128L * KIB, "thread 31, buffers of 128 bytes"));
    assertThat(allocator.bytesInUse()).isEqualTo(128 + 128 + 256 + 128);
    assertThat(allocator.requestedBytesInUse()).isEqualTo(100 + 128 + 129 + 100);
  }

  @Test
  void allocate_adaptiveLargeBuffers_shareAChunkOfEightOfTheFirst() {
    SimulatedAllocator allocator = allocator("");
    allocate(allocator, 100 * KIB, LOOP);
    allocate(allocator, 20 * KIB, OTHER_LOOP);
    assertThat(allocator.reservedBytes()).isEqualTo(1 << 20);
    assertThat(allocator.bytesInUse()).isEqualTo((128 + 32) * KIB);

    allocate(allocator, (1 << 20) + 1, LOOP);
    assertThat(allocator.reservedBytes()).isEqualTo((2 << 20) + 1);
  }

  @Test
  void free_adaptiveByAnotherThread_isNotFoundByTheCacheOfTheOwner() {
    for (long freeing : new long[] {LOOP, OTHER_LOOP}) {
      SimulatedAllocator allocator = allocator("");
      List<Long> buffers = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        buffers.add(allocate(allocator, 16 * KIB, LOOP));
      }
      buffers.forEach(address -> allocator.free(address, freeing));
      for (int i = 0; i < 64; i++) {
        allocate(allocator, 16 * KIB, LOOP);
      }
      assertThat(allocator.reservedBytes()).isEqualTo((freeing == LOOP ? 1 : 2) << 20);
    }
  }

  @Test
  void allocate_pooled_takesAChunkForEachArena() {
    SimulatedAllocator allocator = allocator("-Dio.netty.allocator.type=pooled");
    allocate(allocator, 100, LOOP);
    allocate(allocator, 100, LOOP);
    allocate(allocator, 100, OTHER_LOOP);
    allocate(allocator, (4 << 20) + 1, LOOP);

    assertThat(allocator.regions())
        .extracting(SimulatedAllocator.Region::owner)
        .containsExactly("arena 0", "arena 1", "not pooled");
    assertThat(allocator.bytesInUse()).isEqualTo(3 * 112 + (4 << 20) + 1);
  }

  @Test
  void free_pooled_keepsTheBufferForTheThread() {
    SimulatedAllocator allocator = allocator("-Dio.netty.allocator.type=pooled");
    long first = allocate(allocator, 30 * KIB, LOOP);
    allocator.free(first, OTHER_LOOP);
    allocate(allocator, 30 * KIB, 99);

    assertThat(allocate(allocator, 30 * KIB, LOOP)).isEqualTo(first);
  }

  @Test
  void allocate_unpooled_takesTheRequestedBytes() {
    SimulatedAllocator allocator = allocator("-Dio.netty.allocator.type=unpooled");
    long address = allocate(allocator, 100, LOOP);
    allocate(allocator, 101, LOOP);
    allocator.free(address, LOOP);

    assertThat(allocator.reservedBytes()).isEqualTo(101);
    assertThat(allocator.peakReservedBytes()).isEqualTo(201);
  }

  @Test
  void allocate_aboveTheLimit_isRefused() {
    SimulatedAllocator allocator = allocator("", OptionalLong.of(200 * KIB));
    allocate(allocator, 100, LOOP);

    assertThat(allocate(allocator, 200, LOOP)).isEqualTo(SimulatedAllocator.REFUSED);
    SimulatedAllocator.Refusal refusal = allocator.refusal(200, LOOP, PoolNumber.DEFAULT);
    assertThat(refusal.verdict()).isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
    assertThat(refusal.reason())
        .isEqualTo(
            "out of memory: 200 bytes requested on thread 30, which needs a new chunk of 128"
                + " KiB. The limit permits 72 KiB more, 56 KiB too few. In use: 128 bytes; cached:"
                + " 127.9 KiB; reserved: 128 KiB; limit: 200 KiB (204,800 bytes).");
    assertThat(allocate(allocator, 100, LOOP)).isPositive();
  }

  @Test
  void doubts_recordedPeakOfOtherRules_namesBoth() {
    SimulatedAllocator allocator =
        new NettyRules(Optional.empty(), OptionalLong.empty()).start(Optional.empty());
    allocator.noteProgram(new RecordedProgram("", Set.of(LOOP), OptionalLong.of(1000)));
    allocate(allocator, 100, LOOP);

    assertThat(allocator.doubts())
        .containsExactly(
            "With the recorded settings, the peak is 131,072 bytes, but Netty reserved 1,000: the"
                + " rules are those of version 4.2.20.");
    allocate(allocator, 100, OTHER_LOOP);
    assertThat(allocator.doubts()).hasSize(2).contains(NettyDoubts.RACES);
  }

  @Test
  void free_aFreeAddress_throws() {
    SimulatedAllocator allocator = allocator("");
    assertThatThrownBy(() -> allocator.free(5, LOOP))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no allocation is in use at address 5");
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyRequests_buffersDoNotOverlapAndChunksAddUp(long seed) {
    Random random = new Random(seed);
    List<String> all =
        List.of(
            "",
            "-Dio.netty.allocator.lowMemory=true",
            "-Dio.netty.allocator.chunkPurgePollsShared=3"
                + " -Dio.netty.allocator.chunkPurgePollsThreadLocal=2"
                + " -Dio.netty.allocator.threadLocalChunkCacheMaxBytes=262144",
            "-Dio.netty.allocator.type=pooled",
            "-Dio.netty.allocator.type=pooled -Dio.netty.allocator.maxOrder="
                + (3 + random.nextInt(8))
                + " -Dio.netty.allocator.smallCacheSize=4"
                + " -Dio.netty.allocator.cacheTrimInterval=20",
            "-Dio.netty.allocator.type=unpooled");
    String settings = all.get(random.nextInt(all.size()));
    SimulatedAllocator allocator = allocator(settings);
    int mostBits = 4 + random.nextInt(18);
    int freed = 1 + random.nextInt(8);
    List<Long> live = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      long thread = LOOP + random.nextInt(4);
      if (live.isEmpty() || random.nextInt(10) > freed) {
        live.add(allocate(allocator, 1 + random.nextInt(1 << random.nextInt(mostBits)), thread));
      } else {
        allocator.free(live.remove(random.nextInt(live.size())), thread);
      }
      if (i % 100 == 0) {
        check(settings, allocator, live.size());
      }
    }
    live.forEach(address -> allocator.free(address, LOOP));
    check(settings, allocator, 0);
    assertThat(allocator.bytesInUse()).isZero();
  }

  private static void check(String settings, SimulatedAllocator allocator, int liveCount) {
    List<SimulatedAllocator.Range> ranges = allocator.ranges();
    assertThat(ranges.stream().filter(SimulatedAllocator.Range::isInUse)).hasSize(liveCount);
    long end = 0;
    long bytes = 0;
    for (SimulatedAllocator.Range range : ranges) {
      assertThat(range.address()).as(settings).isGreaterThanOrEqualTo(end);
      end = range.address() + range.bytes();
      bytes += range.bytes();
    }
    assertThat(bytes).as(settings).isEqualTo(allocator.reservedBytes());
    assertThat(allocator.regions().stream().mapToLong(SimulatedAllocator.Region::bytes).sum())
        .isEqualTo(allocator.reservedBytes());
    ReservedBytes parts = ReservedBytes.of(allocator, LOOP, Set.of());
    ReservedMemory memory = allocator.reserved(LOOP, Set.of());
    assertThat(parts.requestedBytes()).isEqualTo(memory.requestedBytes());
    for (ReservedPart part : ReservedPart.values()) {
      assertThat(parts.bytes(part)).as(settings).isEqualTo(memory.bytes(part));
    }
    assertThat(allocator.largestFreeBytes())
        .isLessThanOrEqualTo(allocator.reservedBytes() - allocator.bytesInUse());
  }
}
