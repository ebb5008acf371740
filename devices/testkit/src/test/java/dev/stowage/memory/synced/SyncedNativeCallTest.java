package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.tensor.DataType;
import dev.stowage.memory.tensor.Tensor;
import dev.stowage.memory.tensor.TensorShape;
import dev.stowage.testing.NativeCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments that a native call works on while they should end. */
class SyncedNativeCallTest {

  @Test
  void anyCall_thatEndsASegmentInANativeCall_isRefusedAndNothingChanges() {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        SyncedMemory buffer = SyncedMemory.of("x", 8, gpu.pool())) {
      MemorySegment data = buffer.mutableCpuData();
      long mine = gpu.device().allocate(256).orElseThrow();
      NativeCalls.during(
          data,
          () -> {
            for (Runnable call :
                new Runnable[] {
                  buffer::gpuData,
                  buffer::mutableGpuData,
                  buffer::close,
                  () -> buffer.setGpuData(mine)
                }) {
              assertThatIllegalStateException()
                  .isThrownBy(call::run)
                  .withMessage(
                      "buffer 'x' cannot end its segments while a native call works on one; call again after it has returned");
              assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
              assertThat(gpu.bytesInUse()).isZero();
              buffer.checkLive(data);
            }
          });
      gpu.device().free(mine, 256);
      buffer.gpuData();
      assertThat(data.scope().isAlive()).isFalse();
    }
  }

  @Test
  void close_readerInANativeCall_isRefusedAndTheWriterStaysOpen() {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        SyncedMemory buffer = SyncedMemory.of("x", 8, gpu.pool())) {
      MemorySegment written = buffer.mutableCpuData();
      NativeCalls.during(
          buffer.cpuData(),
          () -> {
            assertThatIllegalStateException().isThrownBy(buffer::close);
            assertThatIllegalStateException().isThrownBy(buffer::mutableGpuData);
            written.fill((byte) 1);
          });
      written.fill((byte) 2);
    }
  }

  /** Runs an action in a thread of its own, and waits for it. */
  private static void inAnotherThread(Runnable action) {
    CompletableFuture.runAsync(action, task -> Thread.ofPlatform().start(task)).join();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void poolClose_duringANativeCall_throwsAndNothingChanges(boolean byAnotherThread) {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        HostMemory host = HostMemory.open()) {
      MemoryPool pool = MemoryPool.open("pool", host, BfcOptions.expandable());
      SyncedMemory buffer = SyncedMemory.of("x", 8, pool, gpu.pool());
      SyncedMemory other = SyncedMemory.of("y", 8, pool, gpu.pool());
      Tensor tensor = Tensor.allocate("t", DataType.INT32, TensorShape.of(2), pool);
      List<MemorySegment> segments =
          List.of(
              buffer.cpuData(),
              other.cpuData(),
              tensor.segment(),
              other.mutableCpuData(),
              buffer.mutableCpuData(),
              pool.openSharedArena().allocate(8),
              pool.asSegmentAllocator().allocate(8));
      for (MemorySegment held : segments.subList(0, 5)) {
        NativeCalls.during(
            held,
            () -> {
              Runnable refused =
                  () ->
                      assertThatIllegalStateException()
                          .isThrownBy(pool::close)
                          .withMessageMatching(
                              "pool 'pool' cannot be closed: shared (arena|block) \\d+ with \\d bytes under tag '[xyt]' is in use by a native call, another thread or its own closing");
              if (byAnotherThread) {
                inAnotherThread(refused);
              } else {
                refused.run();
              }
              segments.forEach(each -> assertThat(each.get(ValueLayout.JAVA_INT, 0)).isZero());
              assertThat(other.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
              pool.allocate(100).close();
            });
      }
      buffer.gpuData();
      pool.close();
      segments.forEach(each -> assertThat(each.scope().isAlive()).isFalse());
      assertThat(host.regionCount()).isZero();
      buffer.close();
      other.close();
      assertThat(gpu.bytesInUse()).isZero();
    }
  }
}
