package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemories;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.trace.TraceRecorder;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arenas and blocks behave as the JDK's, and return all memory. */
class MemoryPoolTest {

  private static final long MIB = 1 << 20;

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool = MemoryPool.open("test", host, BfcOptions.expandable());
  private final ExecutorService otherThread = Executors.newSingleThreadExecutor();

  @AfterEach
  void nothingIsLeft() {
    otherThread.close();
    pool.close();
    assertThat(host.regionCount()).isZero();
    host.close();
  }

  private <T> T elsewhere(Callable<T> action) throws Exception {
    return otherThread.submit(action).get();
  }

  private long bytesInUse() {
    return pool.statistics().bytesInUse();
  }

  private Arena open(boolean shared) {
    return shared ? pool.openSharedArena() : pool.openArena();
  }

  private MemoryBlock block(boolean shared) {
    return shared ? pool.allocateShared(1000) : pool.allocate(1000);
  }

  @Test
  void example_ofTheReadme_runs() {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("activations", host, BfcOptions.expandable())) {
      try (Arena arena = pool.openArena()) { // a java.lang.foreign.Arena
        MemorySegment x = arena.allocate(ValueLayout.JAVA_FLOAT, 1000);
        x.setAtIndex(ValueLayout.JAVA_FLOAT, 999, 1.5f);
      } // from here on, access to x throws IllegalStateException
      try (MemoryBlock block = pool.allocate(1 << 20)) {
        block.segment().fill((byte) 1);
      }
      long givenBack = pool.trim().bytes(); // to the system
      assertThat(givenBack).isEqualTo(1 << 20);
    }
  }

  @ParameterizedTest
  @EnumSource
  void open_everyKindOfHostMemory_works(HostMemories kind) {
    try (HostMemory memory = kind.open();
        MemoryPool other = MemoryPool.open("other", memory, BfcOptions.expandable())) {
      try (Arena arena = other.openArena()) {
        MemorySegment floats = arena.allocate(ValueLayout.JAVA_FLOAT, 1000);
        floats.setAtIndex(ValueLayout.JAVA_FLOAT, 999, 1.5f);
        assertThat(floats.getAtIndex(ValueLayout.JAVA_FLOAT, 999)).isEqualTo(1.5f);
        assertThat(floats.getAtIndex(ValueLayout.JAVA_FLOAT, 0)).isZero();
      }
      assertThat(other.statistics().bytesInUse()).isZero();
      assertThat(other.trim().bytes()).isPositive();
      assertThat(memory.regionCount()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allocate_anySizeAndAlignment_isZeroedAlignedAndBounded(boolean shared) {
    for (int round = 0; round < 2; round++) {
      try (Arena arena = open(shared)) {
        for (long alignment = 1; alignment <= 1 << 16; alignment *= 4) {
          for (long bytes : new long[] {0, 1, 7, 1023, 1024, 4096, 100_000}) {
            MemorySegment segment = arena.allocate(bytes, alignment);
            assertThat(segment.byteSize()).isEqualTo(bytes);
            assertThat(segment.address() % alignment).isZero();
            assertThat(segment.scope()).isEqualTo(arena.scope());
            assertThat(segment.isNative()).isTrue();
            assertThat(segment.mismatch(MemorySegment.ofArray(new byte[(int) bytes])))
                .isEqualTo(-1);
            segment.fill((byte) -1);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, bytes));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, -1));
          }
        }
      }
      assertThat(bytesInUse()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allocate_noBytes_takesNoMemory(boolean shared) {
    AllocatorStatistics before = pool.statistics();
    Arena arena = open(shared);
    MemorySegment segment = arena.allocate(0, 4096);
    assertThat(segment.byteSize()).isZero();
    assertThat(segment.address()).isNotZero();
    assertThat(segment.address() % 4096).isZero();
    assertThat(pool.asSegmentAllocator().allocate(0).address()).isEqualTo(256);
    MemoryBlock block = shared ? pool.allocateShared(0) : pool.allocate(0);
    assertThat(pool.statistics()).isEqualTo(before);
    assertThat(block.segment().scope().isAlive()).isTrue();
    block.close();
    arena.close();
    assertThat(segment.scope().isAlive()).isFalse();
    assertThat(block.segment().scope().isAlive()).isFalse();
    block.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> arena.allocate(0))
        .withMessage("Already closed");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allocate_wrongSizeOrAlignment_isRejected(boolean shared) {
    try (Arena arena = open(shared)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> arena.allocate(-1, 1))
          .withMessage("byteSize must not be negative: byteSize=-1");
      for (long alignment : new long[] {0, -8, 3, Long.MIN_VALUE}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> arena.allocate(8, alignment))
            .withMessage("byteAlignment must be a power of two: byteAlignment=" + alignment);
      }
    }
    assertThatIllegalArgumentException().isThrownBy(() -> pool.allocate(-1));
    assertThat(bytesInUse()).isZero();
  }

  @Test
  void arena_allWaysToAllocate_asWithTheJdk() {
    try (Arena arena = pool.openArena()) {
      assertThat(arena.allocateFrom("größer").getString(0)).isEqualTo("größer");
      assertThat(arena.allocateFrom(ValueLayout.JAVA_INT, 1, 2, 3).toArray(ValueLayout.JAVA_INT))
          .containsExactly(1, 2, 3);
      MemorySegment slice =
          SegmentAllocator.slicingAllocator(arena.allocate(64, 64)).allocate(16, 16);
      assertThat(slice.scope()).isEqualTo(arena.scope());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @SuppressWarnings("restricted") // as native code does it
  void arena_nativeCalls_useItUnchanged(boolean shared) throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle strlen =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("strlen"),
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    List<String> cleaned = new ArrayList<>();
    try (Arena arena = open(shared)) {
      MemorySegment text = arena.allocateFrom("stowage");
      assertThat((long) strlen.invokeExact(text)).isEqualTo(7);
      // A cleanup action can still access the memory.
      text.reinterpret(arena, last -> cleaned.add(last.reinterpret(8).getString(0)));
      pool.allocate(8).close();
    }
    assertThat(cleaned).containsExactly("stowage");
    assertThat(bytesInUse()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void arena_afterClose_cannotBeUsedAsWithTheJdk(boolean shared) {
    Arena arena = open(shared);
    MemorySegment segment = arena.allocate(100);
    MemorySegment slice = segment.asSlice(10, 10);
    arena.close();
    assertThat(arena.scope().isAlive()).isFalse();
    for (MemorySegment each : List.of(segment, slice, segment.asReadOnly())) {
      assertThatIllegalStateException()
          .isThrownBy(() -> each.get(ValueLayout.JAVA_BYTE, 0))
          .withMessage("Already closed");
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> segment.fill((byte) 1))
        .withMessage("Already closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> arena.allocate(8))
        .withMessage("Already closed");
    assertThatIllegalStateException().isThrownBy(arena::close).withMessage("Already closed");
    assertThat(bytesInUse()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void blockClose_twice_hasNoEffectAndFreesOnce(boolean shared) {
    MemoryBlock block = block(shared);
    MemoryBlock other = block(shared);
    block.close();
    MemoryBlock next = block(shared);
    assertThat(next.segment().address()).isEqualTo(block.segment().address());
    block.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> block.segment().get(ValueLayout.JAVA_BYTE, 0))
        .withMessage("Already closed");
    next.segment().fill((byte) 1);
    assertThat(pool.statistics().chunksInUse()).isEqualTo(2);
    next.close();
    other.close();
    assertThat(bytesInUse()).isZero();
  }

  @Test
  void confined_otherThread_isRejectedAndNothingChanges() throws Exception {
    Arena arena = pool.openArena();
    MemorySegment segment = arena.allocate(100);
    try (MemoryBlock block = pool.allocate(100)) {
      elsewhere(() -> {
        assertThatExceptionOfType(WrongThreadException.class)
            .isThrownBy(() -> arena.allocate(8))
            .withMessageMatching(
                "confined arena 1 with 100 bytes of thread '.+' cannot be used by thread 'pool-.*'");
        assertThatExceptionOfType(WrongThreadException.class).isThrownBy(arena::close);
        assertThatExceptionOfType(WrongThreadException.class).isThrownBy(block::close);
        assertThatExceptionOfType(WrongThreadException.class)
            .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0));
        return "";
      });
    }
    segment.fill((byte) 1);
    arena.close();
    assertThat(bytesInUse()).isZero();
  }

  @Test
  void shared_otherThread_usesAndCloses() throws Exception {
    Arena arena = pool.openSharedArena();
    MemorySegment segment = elsewhere(() -> arena.allocate(100));
    segment.fill((byte) 1);
    MemoryBlock block = elsewhere(() -> pool.allocateShared(100));
    block.segment().fill((byte) 2);
    elsewhere(() -> {
      arena.close();
      block.close();
      return "";
    });
    assertThat(bytesInUse()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allocate_outOfMemory_losesNothing(boolean shared) {
    BfcOptions options = BfcOptions.expandable().withLimit(MIB);
    try (MemoryPool small = MemoryPool.open("small", host, options)) {
      try (Arena arena = shared ? small.openSharedArena() : small.openArena()) {
        MemorySegment first = arena.allocate(MIB / 2);
        first.fill((byte) 3);
        for (long bytes : new long[] {MIB, 1L << 40, 1L << 60, Long.MAX_VALUE}) {
          assertThatExceptionOfType(BfcOutOfMemoryException.class)
              .isThrownBy(() -> arena.allocate(bytes))
              .withMessageContaining("'small'");
        }
        assertThatExceptionOfType(BfcOutOfMemoryException.class)
            .isThrownBy(() -> arena.allocate(1, 1L << 62));
        assertThat(first.get(ValueLayout.JAVA_BYTE, MIB / 2 - 1)).isEqualTo((byte) 3);
        assertThatExceptionOfType(BfcOutOfMemoryException.class)
            .isThrownBy(() -> small.allocate(MIB));
        assertThatExceptionOfType(BfcOutOfMemoryException.class)
            .isThrownBy(() -> small.allocateShared(MIB));
        arena.allocate(MIB / 4);
      }
      assertThat(small.statistics().bytesInUse()).isZero();
      try (MemoryBlock all = small.allocate(MIB)) {
        all.segment().fill((byte) 1);
      }
    }
  }

  @Test
  void allocate_systemRefuses_isOutOfMemory() {
    for (BfcOptions options : List.of(BfcOptions.expandable(), BfcOptions.growing())) {
      try (MemoryPool unlimited = MemoryPool.open("unlimited", host, options)) {
        assertThatExceptionOfType(BfcOutOfMemoryException.class)
            .isThrownBy(() -> unlimited.allocate(1L << 60))
            .withMessageContaining("1 EiB (1,152,921,504,606,846,976 bytes) requested");
        unlimited.allocate(100).close();
      }
    }
  }

  @Test
  void asSegmentAllocator_segments_liveAsLongAsThePool() throws Exception {
    MemoryPool other = MemoryPool.open("other", host, BfcOptions.expandable());
    SegmentAllocator allocator = other.asSegmentAllocator();
    assertThat(allocator).isNotInstanceOf(Arena.class);
    MemorySegment weights = allocator.allocateFrom(ValueLayout.JAVA_LONG, 1, 2, 3);
    assertThat(elsewhere(() -> weights.getAtIndex(ValueLayout.JAVA_LONG, 2))).isEqualTo(3);
    other.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> weights.getAtIndex(ValueLayout.JAVA_LONG, 2))
        .withMessage("Already closed");
    assertThatIllegalStateException().isThrownBy(() -> allocator.allocate(1));
  }

  @Test
  void withoutZeroing_reusedMemory_isAsItWas() {
    try (MemoryPool raw =
        MemoryPool.open(
            "raw", host, BfcOptions.expandable(), PoolOptions.standard().withoutZeroing())) {
      try (MemoryBlock block = raw.allocate(100)) {
        block.segment().fill((byte) 42);
      }
      try (MemoryBlock block = raw.allocate(100)) {
        assertThat(block.segment().get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 42);
      }
    }
  }

  @Test
  void withListener_recorder_hearsOfEachAllocation(@TempDir Path folder) throws Exception {
    Path csv = folder.resolve("run.csv");
    try (TraceRecorder recorder = TraceRecorder.create(csv);
        MemoryPool recorded =
            MemoryPool.open(
                "recorded",
                host,
                BfcOptions.expandable(),
                PoolOptions.standard().withListener(recorder))) {
      recorded.allocate(100).close();
    }
    assertThat(Files.readString(csv)).contains(",100");
  }

  @Test
  void trim_freeEnd_goesBackToTheSystem() {
    try (MemoryBlock first = pool.allocate(MIB)) {
      pool.allocate(3 * MIB).close();
      assertThat(host.heldBytes()).isEqualTo(4 * MIB);
      assertThat(pool.trim().bytes()).isEqualTo(3 * MIB);
      assertThat(host.heldBytes()).isEqualTo(MIB);
      first.segment().fill((byte) 1);
    }
    assertThat(pool.report().toString()).contains("test");
    assertThat(pool.name()).isEqualTo("test");
  }
}
