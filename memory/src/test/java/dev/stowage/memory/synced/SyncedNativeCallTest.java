package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryPool;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Segments that a native call works on while they should end. */
class SyncedNativeCallTest {

  /** Runs something while native code has a segment of two ints. */
  @SuppressWarnings("restricted") // as native code does it
  private static void duringNativeCall(MemorySegment ints, Runnable action) throws Throwable {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor compare =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    MethodHandle qsort =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("qsort"),
            FunctionDescriptor.ofVoid(
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS));
    MethodHandle run =
        MethodHandles.lookup()
            .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
            .bindTo(action);
    MethodHandle comparator =
        MethodHandles.dropArguments(
            MethodHandles.filterReturnValue(run, MethodHandles.constant(int.class, 0)),
            0,
            MemorySegment.class,
            MemorySegment.class);
    try (Arena upcalls = Arena.ofConfined()) {
      MemorySegment callback = linker.upcallStub(comparator, compare, upcalls);
      qsort.invokeExact(ints, 2L, 4L, callback);
    }
  }

  @Test
  void anyCall_thatEndsASegmentInANativeCall_isRefusedAndNothingChanges() throws Throwable {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        SyncedMemory buffer = SyncedMemory.of("x", 8, gpu.memory())) {
      List<Throwable> unexpected = new ArrayList<>();
      MemorySegment data = buffer.mutableCpuData();
      long mine = gpu.device().allocate(256).orElseThrow();
      duringNativeCall(
          data,
          () -> {
            try {
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
                        "buffer 'x' cannot end its segments: a native call works on one; let it return first");
                assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
                assertThat(gpu.bytesInUse()).isZero();
                buffer.checkLive(data);
              }
            } catch (Throwable failed) {
              unexpected.add(failed); // which native code could not pass on
            }
          });
      assertThat(unexpected).isEmpty();
      gpu.device().free(mine, 256);
      buffer.gpuData();
      assertThat(data.scope().isAlive()).isFalse();
    }
  }

  @Test
  void close_ofThePoolDuringANativeCall_waitsForIt() throws Throwable {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        HostMemory host = HostMemory.open()) {
      MemoryPool pool = MemoryPool.open("pool", host, BfcOptions.expandable());
      SyncedMemory buffer = SyncedMemory.of("x", 8, pool, gpu.memory());
      MemorySegment data = buffer.mutableCpuData();
      Thread closing = Thread.ofPlatform().unstarted(pool::close);
      duringNativeCall(
          data,
          () -> {
            closing.start();
            while (closing.getState() != Thread.State.TIMED_WAITING) {
              Thread.onSpinWait();
            }
            data.fill((byte) 1);
          });
      closing.join();
      assertThat(data.scope().isAlive()).isFalse();
      assertThat(host.regionCount()).isZero();
      buffer.close();
    }
  }
}
