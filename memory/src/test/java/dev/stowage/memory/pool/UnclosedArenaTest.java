package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.lifetime.UnclosedReport;
import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.memory.tensor.DataType;
import dev.stowage.memory.tensor.Tensor;
import dev.stowage.memory.tensor.TensorShape;
import dev.stowage.testing.Caller;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Arenas and blocks that become unreachable and are not closed. */
class UnclosedArenaTest {

  private static final int MAX_COLLECTIONS = 1000;

  private final HostMemory host = HostMemory.open();
  private final Queue<String> told = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    host.close();
  }

  private MemoryPool pool(BfcOptions options, PoolOptions poolOptions) {
    return MemoryPool.over("test", host.newSubAllocator(), options, poolOptions, told::add);
  }

  private MemoryPool debugged() {
    return pool(BfcOptions.expandable(), PoolOptions.standard().withDebugging());
  }

  private void collectUntilReported(int reports) {
    for (int i = 0; i < MAX_COLLECTIONS && told.size() < reports; i++) {
      System.gc();
    }
  }

  private static void closeAll(MemoryPool pool) {
    pool.openArena().close();
    pool.openSharedArena().close();
    pool.allocate(1).close();
    pool.allocateShared(1).close();
  }

  @Test
  void anyArena_unreachableInDebugMode_isReportedOnceAndKeepsItsMemory() {
    try (MemoryPool pool = debugged()) {
      closeAll(pool);
      MemorySegment kept = AllocationTag.of("x").call(() -> pool.openArena().allocate(8));
      pool.openSharedArena().allocate(16);
      assertThat(pool.allocate(24).segment().byteSize()).isEqualTo(24);
      assertThat(pool.allocateShared(32).segment().byteSize()).isEqualTo(32);
      collectUntilReported(4);
      String thread = Thread.currentThread().getName();
      assertThat(told)
          .containsExactlyInAnyOrder(
              report("confined arena 5 with 8 bytes under tag 'x' of thread '" + thread + "'"),
              report("shared arena 6 with 16 bytes"),
              report("confined block 7 with 24 bytes of thread '" + thread + "'"),
              report("shared block 8 with 32 bytes"));
      kept.set(ValueLayout.JAVA_LONG, 0, 1);
      assertThat(pool.statistics().chunksInUse()).isEqualTo(4);
    }
  }

  private static String report(String arena) {
    return "pool 'test': "
        + arena
        + " became unreachable without being closed, and its memory stays in use until the pool is closed: call close()";
  }

  @Test
  void anyBudget_unreachableInDebugMode_isReportedWithItsReservation() {
    try (MemoryPool pool = debugged()) {
      PoolBudget root = pool.openBudget("requests", 1 << 20);
      root.child("request 1", 1024, 4096).close();
      assertThat(root.child("request 2", 2048, 4096).account().usedBytes()).isZero();
      collectUntilReported(1);
      assertThat(told)
          .containsExactly(
              "pool 'test': budget 'requests/request 2' became unreachable without being closed, and its reservation of 2048 bytes is kept: call close()");
      assertThatIllegalStateException()
          .isThrownBy(root::close)
          .withMessageStartingWith("budget 'requests' cannot be closed: ");
    }
  }

  @Test
  void anyArena_closedOrEndedWithItsPool_isNotReported() {
    MemoryPool pool = debugged();
    closeAll(pool);
    WeakReference<Arena> ended = new WeakReference<>(pool.openArena());
    pool.close();
    try (MemoryPool other = debugged()) {
      other.openArena();
      while (ended.get() != null) {
        System.gc();
      }
      collectUntilReported(1);
    }
    assertThat(told).hasSize(1).first().asString().contains("confined arena 1 with 0 bytes");
  }

  @Test
  void arenas_noDebugMode_areWatchedOnceIn128() {
    try (MemoryPool pool = pool(BfcOptions.expandable(), PoolOptions.standard())) {
      for (int stride : new int[] {1, 2, 64, 127, 128}) {
        long watched =
            IntStream.range(0, 1280 * stride)
                .filter(i -> {
                  try (Arena arena = pool.openArena()) {
                    return i % stride == 0 && arena instanceof WatchedArena;
                  }
                })
                .count();
        assertThat(watched).isBetween(5L, 15L);
      }
    }
  }

  @Test
  void arena_withStacks_isReportedFromTheCallersOwnFramesOn() {
    try (MemoryPool pool =
        pool(BfcOptions.expandable().withStacks(), PoolOptions.standard().withDebugging())) {
      assertThat(Caller.make(() -> pool.allocateShared(8)).segment().byteSize()).isEqualTo(8);
      collectUntilReported(1);
      List<String> lines = told.remove().lines().toList();
      assertThat(lines.getFirst()).isEqualTo(report("shared block 1 with 8 bytes"));
      assertThat(lines.get(1)).startsWith("    at ").contains("dev.stowage.testing.Caller.make(");
      assertThat(pool.describeLeaks().lines())
          .filteredOn(line -> line.startsWith("    at "))
          .first()
          .asString()
          .contains("dev.stowage.testing.Caller.make(");
    }
  }

  @Test
  void arenas_ofTensorsAndBuffers_haveNoReportsOfTheirOwn() {
    try (MemoryPool pool = debugged();
        Tensor tensor = Tensor.allocate("t", DataType.INT8, TensorShape.of(8), pool);
        SyncedMemory buffer = SyncedMemory.of("x", 8, pool)) {
      assertThat(tensor.segment().byteSize()).isEqualTo(8);
      assertThat(buffer.mutableCpuData().byteSize()).isEqualTo(8);
      assertThat(UnclosedReport.suppressedFor(pool::openArena)).isNotInstanceOf(WatchedArena.class);
      assertThat(pool.openArena()).isInstanceOf(WatchedArena.class);
    }
  }
}
