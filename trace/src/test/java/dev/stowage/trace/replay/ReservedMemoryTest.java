package dev.stowage.trace.replay;

import static dev.stowage.trace.replay.ReservedPart.HOLES;
import static dev.stowage.trace.replay.ReservedPart.KEPT_SEGMENTS;
import static dev.stowage.trace.replay.ReservedPart.OTHER_STREAMS;
import static dev.stowage.trace.replay.ReservedPart.PENDING_FREES;
import static dev.stowage.trace.replay.ReservedPart.PRIVATE_POOLS;
import static dev.stowage.trace.replay.ReservedPart.ROUNDING;
import static dev.stowage.trace.replay.ReservedPart.UNSPLIT_RESTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedMemory;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.pytorch.DeviceSnapshot;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.SnapshotSettings;
import dev.stowage.trace.pytorch.StackTable;
import dev.stowage.trace.replay.ReservedMemory.PoolUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The parts of reserved memory have no remainder. */
class ReservedMemoryTest {

  private static final long MIB = 1 << 20;
  private static final int STREAMS = 3;

  static LongStream seeds() {
    return Seeds.of(300);
  }

  private static long sum(ReservedMemory memory) {
    return memory.requestedBytes()
        + memory.bytes().values().stream().mapToLong(bytes -> bytes).sum();
  }

  /** {@return the parts that have bytes} */
  private static Map<ReservedPart, Long> parts(ReservedMemory memory) {
    return memory.bytes().entrySet().stream()
        .filter(part -> part.getValue() != 0)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static void checkSums(SimulatedAllocator allocator, ReservedMemory memory) {
    assertThat(sum(memory)).isEqualTo(allocator.reservedBytes());
    assertThat(memory.bytes().keySet()).containsExactly(ReservedPart.values());
    assertThat(memory.bytes().values()).allMatch(bytes -> bytes >= 0);
  }

  private static void checkPools(SimulatedAllocator allocator, ReservedMemory memory) {
    assertThat(memory.pools().stream().mapToLong(PoolUse::reservedBytes).sum())
        .isEqualTo(allocator.reservedBytes());
    assertThat(memory.pools().stream().mapToLong(PoolUse::inUseBytes).sum())
        .isEqualTo(allocator.bytesInUse());
    assertThat(memory.pools().stream().mapToLong(PoolUse::requestedBytes).sum())
        .isEqualTo(memory.requestedBytes());
    assertThat(memory.pools().stream().map(PoolUse::lane)).doesNotHaveDuplicates();
  }

  /** The sums that an allocator keeps are those of its blocks. */
  private static void checkBytes(ReservedBytes bytes, ReservedMemory memory) {
    assertThat(bytes.requestedBytes()).isEqualTo(memory.requestedBytes());
    for (ReservedPart part : ReservedPart.values()) {
      assertThat(bytes.bytes(part)).as(part.name()).isEqualTo(memory.bytes(part));
    }
    assertThat(bytes.reservedBytes()).isEqualTo(sum(memory));
  }

  private static void checkBytes(
      SimulatedAllocator allocator, List<Long> live, Random random, boolean isFirst) {
    if (isFirst || random.nextInt(3) == 0) { // the first question comes at any time
      Set<Long> pending =
          live.stream().filter(_ -> random.nextInt(5) == 0).collect(Collectors.toSet());
      long stream = random.nextInt(STREAMS + 1);
      checkBytes(ReservedBytes.of(allocator, stream, pending), allocator.reserved(stream, pending));
    }
  }

  /** A random state of an allocator. */
  private static Set<Long> run(SimulatedAllocator allocator, Random random) {
    List<Long> live = new ArrayList<>();
    long largest = MIB << random.nextInt(6);
    int firstQuestion = random.nextInt(150);
    for (int i = random.nextInt(150); i > 0; i--) {
      if (i <= firstQuestion) {
        checkBytes(allocator, live, random, i == firstQuestion);
      }
      if (!live.isEmpty() && random.nextInt(100) < 45) {
        allocator.free(live.remove(random.nextInt(live.size())), random.nextInt(STREAMS));
      } else {
        long address =
            allocator.allocate(
                PytorchAllocatorTest.bytes(random, largest),
                random.nextInt(STREAMS),
                random.nextInt(4) / 2);
        if (address != SimulatedAllocator.REFUSED) {
          live.add(address);
        }
      }
    }
    return live.stream().filter(_ -> random.nextInt(5) == 0).collect(Collectors.toSet());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void reserved_ofPytorch_agreesWithItsSegmentsAndARelease(long seed) {
    Random random = new Random(seed);
    PytorchSettings settings = PytorchAllocatorTest.settings(random, new NaivePytorch());
    PytorchAllocator allocator = new PytorchAllocator(settings, OptionalLong.empty());
    Set<Long> pending = run(allocator, random);
    long keptBytes = 0;
    for (long stream = 0; stream < STREAMS; stream++) {
      ReservedMemory memory = allocator.reserved(stream, pending);
      checkSums(allocator, memory);
      checkPools(allocator, memory);
      checkBlocks(allocator.segments(true), stream, pending, memory);
      keptBytes += memory.bytes(KEPT_SEGMENTS);
    }
    // Kept memory is exactly the memory that a call of empty_cache releases.
    long before = allocator.reservedBytes();
    allocator.releaseCached();
    assertThat(before - allocator.reservedBytes()).isEqualTo(keptBytes);
  }

  private static void checkBlocks(
      List<SnapshotSegment> segments, long stream, Set<Long> pending, ReservedMemory memory) {
    long pendingBytes = 0;
    long privateBytes = 0;
    long otherBytes = 0;
    long ownBytes = 0;
    for (SnapshotSegment segment : segments) {
      for (SnapshotBlock block : segment.blocks()) {
        if (pending.contains(block.address())) {
          pendingBytes += block.bytes();
        } else if (!block.state().isActive() && segment.lane().pool().isPrivate()) {
          privateBytes += block.bytes();
        } else if (!block.state().isActive() && segment.lane().stream() != stream) {
          otherBytes += block.bytes();
        } else if (!block.state().isActive()) {
          ownBytes += block.bytes();
        }
      }
    }
    assertThat(memory.bytes(PENDING_FREES)).isEqualTo(pendingBytes);
    assertThat(memory.bytes(PRIVATE_POOLS)).isEqualTo(privateBytes);
    assertThat(memory.bytes(OTHER_STREAMS)).isEqualTo(otherBytes);
    assertThat(memory.bytes(HOLES) + memory.bytes(KEPT_SEGMENTS)).isEqualTo(ownBytes);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void reserved_ofOtherAllocators_hasNoRemainder(long seed) {
    Random random = new Random(seed);
    for (SimulatedAllocator allocator :
        List.of(
            new RmmPool(256L << random.nextInt(20), OptionalLong.empty()),
            new BfcSimulation(BfcOptions.growing().withSplitThreshold(256L << random.nextInt(16))),
            new BfcSimulation(BfcOptions.growing().withLimit(64 * MIB).withGarbageCollection()),
            new BfcSimulation(BfcOptions.expandable()))) {
      Set<Long> pending = run(allocator, random);
      ReservedMemory memory = allocator.reserved(0, pending);
      checkSums(allocator, memory);
      checkBytes(ReservedBytes.of(allocator, 0, pending), memory);
      assertThat(memory.pools()).isEmpty();
      assertThat(memory.bytes(OTHER_STREAMS) + memory.bytes(PRIVATE_POOLS)).isZero();
      assertThat(memory.bytes(HOLES) + memory.bytes(KEPT_SEGMENTS))
          .isEqualTo(allocator.reservedBytes() - allocator.bytesInUse());
    }
  }

  /*
   *   0            1000 1024              2 MiB
   *   | 1000 bytes | 24 | free             |
   */
  @Test
  void reserved_roundedRequest_hasRoundingAndAHole() {
    PytorchAllocator allocator =
        new PytorchAllocator(PytorchSettings.defaults(), OptionalLong.empty());
    allocator.allocate(1000, 0, 0);
    ReservedMemory memory = allocator.reserved(0, Set.of());
    assertThat(memory.requestedBytes()).isEqualTo(1000);
    assertThat(parts(memory)).isEqualTo(Map.of(ROUNDING, 24L, HOLES, 2 * MIB - 1024));
    assertThat(memory.pools())
        .singleElement()
        .satisfies(pool -> {
          assertThat(pool.lane().isSmall()).isTrue();
          assertThat(pool.reservedBytes()).isEqualTo(2 * MIB);
          assertThat(pool.inUseBytes()).isEqualTo(1024);
          assertThat(pool.requestedBytes()).isEqualTo(1000);
        });
  }

  @Test
  void reserved_restOfOneMebibyte_isNotSplitOff() {
    PytorchAllocator allocator =
        new PytorchAllocator(PytorchSettings.defaults(), OptionalLong.empty());
    allocator.allocate(11 * MIB, 0, 0);
    assertThat(parts(allocator.reserved(0, Set.of()))).isEqualTo(Map.of(UNSPLIT_RESTS, MIB));
  }

  @Test
  void reserved_freeSegment_isKeptForItsStreamOnly() {
    PytorchAllocator allocator =
        new PytorchAllocator(PytorchSettings.defaults(), OptionalLong.empty());
    allocator.free(allocator.allocate(12 * MIB, 1, 0), 1);
    assertThat(parts(allocator.reserved(1, Set.of()))).isEqualTo(Map.of(KEPT_SEGMENTS, 12 * MIB));
    assertThat(parts(allocator.reserved(0, Set.of()))).isEqualTo(Map.of(OTHER_STREAMS, 12 * MIB));
  }

  @Test
  void reserved_freeMemoryOfAPrivatePool_isThatOfThePool() {
    PytorchAllocator allocator =
        new PytorchAllocator(PytorchSettings.defaults(), OptionalLong.empty());
    allocator.allocate(2 * MIB, 0, 1L << 32);
    ReservedMemory memory = allocator.reserved(0, Set.of());
    assertThat(parts(memory)).isEqualTo(Map.of(PRIVATE_POOLS, 18 * MIB));
    assertThat(memory.pools().getFirst().lane().pool().graph()).isEqualTo(1);
  }

  @Test
  void reserved_pendingFree_isItsWholeBlock() {
    PytorchAllocator allocator =
        new PytorchAllocator(PytorchSettings.defaults(), OptionalLong.empty());
    long address = allocator.allocate(11 * MIB, 0, 0);
    ReservedMemory memory = allocator.reserved(0, Set.of(address));
    assertThat(memory.requestedBytes()).isZero();
    assertThat(parts(memory)).isEqualTo(Map.of(PENDING_FREES, 12 * MIB));
    assertThat(memory.pools().getFirst().inUseBytes()).isEqualTo(12 * MIB);
  }

  /*
   * pages    |       0       |       1       |       2       |
   * blocks   | 16 MiB |  free                      | 20 MiB    (the end is in page 3)
   */
  @Test
  void reserved_expandableSegment_keepsWholePages() {
    PytorchAllocator allocator =
        new PytorchAllocator(PytorchSettings.defaults().withExpandable(true), OptionalLong.empty());
    long first = allocator.allocate(16 * MIB, 0, 0);
    long freed = allocator.allocate(30 * MIB, 0, 0);
    allocator.allocate(20 * MIB, 0, 0);
    allocator.free(freed, 0);
    ReservedMemory memory = allocator.reserved(0, Set.of());
    // 4 MiB in page 0, page 1, 6 MiB in page 2 and 14 MiB in page 3.
    assertThat(parts(memory)).isEqualTo(Map.of(HOLES, 24 * MIB, KEPT_SEGMENTS, 20 * MIB));
    allocator.free(first, 0);
    allocator.releaseCached();
    assertThat(parts(allocator.reserved(0, Set.of()))).isEqualTo(Map.of(HOLES, 20 * MIB));
  }

  @Test
  void reserved_bfcChunks_haveRestsAndHoles() {
    BfcSimulation allocator =
        new BfcSimulation(BfcOptions.oneRegion(4096).withSplitThreshold(1024));
    allocator.allocate(100, 0, 0);
    assertThat(parts(allocator.reserved(0, Set.of())))
        .isEqualTo(Map.of(ROUNDING, 156L, HOLES, 3840L));
  }

  @Test
  void reserved_freeThatTheRecordingDoesNotComplete_isPending() {
    SnapshotEvents events =
        SnapshotEvents.builder()
            .add(SnapshotAction.ALLOC, MIB, 12 * MIB, 0, PoolId.SHARED, 0, StackTable.NONE)
            .add(SnapshotAction.FREE_REQUESTED, MIB, 12 * MIB, 0, PoolId.SHARED, 0, StackTable.NONE)
            .build();
    SnapshotHistory history =
        SnapshotHistory.of(
            new DeviceSnapshot(
                0, List.of(), events, StackTable.builder().build(), SnapshotSettings.none()));
    TraceReplay replay = new TraceReplay(PytorchRules.asRecorded(), PlacementConsumer.none());
    replay.snapshot(history);
    replay.accept(new AllocationEvent.Allocate("0", 12 * MIB, 0, 0, List.of()));
    assertThat(parts(replay.reserved(0))).isEqualTo(Map.of(PENDING_FREES, 12 * MIB));
  }

  /** Checks the memory of a replay after each 128th event, and each one at the start. */
  private record Checked(TraceReplay replay, Set<ReservedPart> found) implements EventConsumer {

    @Override
    public void snapshot(SnapshotHistory history) {
      replay.snapshot(history);
    }

    @Override
    public void memory(RecordedMemory memory) {
      replay.memory(memory);
    }

    @Override
    public void limit(long bytes) {
      replay.limit(bytes);
    }

    @Override
    public void region(long address, long bytes) {
      replay.region(address, bytes);
    }

    @Override
    public void address(long address, long alignment) {
      replay.address(address, alignment);
    }

    @Override
    public void accept(AllocationEvent event) {
      replay.accept(event);
      ReplayResult result = replay.result();
      long events = result.allocations() + result.frees();
      ReservedBytes bytes = replay.reservedBytes(event.stream());
      assertThat(bytes.reservedBytes()).isEqualTo(replay.use().reservedBytes());
      if (events < 100 || events % 128 == 0) {
        ReservedMemory memory = replay.reserved(event.stream());
        checkBytes(bytes, memory);
        assertThat(sum(memory)).isEqualTo(replay.use().reservedBytes());
        found.addAll(parts(memory).keySet());
      }
    }
  }

  private static Set<ReservedPart> check(Path trace) throws IOException {
    Set<ReservedPart> found = new HashSet<>();
    for (AllocatorRules rules :
        List.of(
            PytorchRules.asRecorded(),
            PytorchRules.asRecorded().withSettings(PytorchSettings.defaults().withExpandable(true)),
            PytorchRules.asRecorded()
                .withSettings(PytorchSettings.parse("roundup_power2_divisions:4"))
                .withPhase(30, PytorchSettings.parse("max_split_size_mb:20")),
            AllocatorRules.rmm(0, OptionalLong.empty()),
            new XlaRules(OptionalLong.empty()),
            AllocatorRules.bfc(BfcOptions.growing()))) {
      TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
      TraceReader.read("t", trace, TraceOptions.strict(), new Checked(replay, found));
    }
    return found;
  }

  static Stream<Path> ownRecordings() {
    return Stream.concat(
        SampleModels.in(SampleModels.folder("traces/normalized"), ".csv.gz").stream(),
        Stream.concat(
            SampleModels.in(SampleModels.folder("traces/pytorch_snapshot"), ".gz").stream(),
            Stream.of(
                SampleModels.examples().resolve("attention.pickle"),
                SampleModels.examples().resolve("jax/job.log"))));
  }

  @ParameterizedTest
  @MethodSource("ownRecordings")
  void reserved_ofRecordings_hasNoRemainder(Path trace) throws IOException {
    assertThat(check(trace)).contains(HOLES);
  }

  @Test
  void reserved_ofRecordingsOfAGpu_hasAllParts() throws IOException {
    Collection<Path> traces = SampleModels.all(".pickle.gz", "gpu/pytorch");
    assumeTrue(!traces.isEmpty(), "needs recordings of a GPU (the folder ../shared/data)");
    Set<ReservedPart> found = new HashSet<>();
    for (Path trace : traces) {
      found.addAll(check(trace));
    }
    assertThat(found).containsExactlyInAnyOrder(ReservedPart.values());
  }
}
