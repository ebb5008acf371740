package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls that fail leave the contents where they were. */
class SyncedFailureTest {

  private final SimulatedGpu gpu = SimulatedGpu.open();
  private final SimulatedDevice device = gpu.device();
  private final SyncedMemory buffer = SyncedMemory.of("x", 10, gpu.pool());

  @AfterEach
  void close_afterAnyTest_freesEverything() {
    buffer.close();
    gpu.close();
  }

  @ParameterizedTest
  @CsvSource({
    "1152921504606846976, '1 EiB (1,152,921,504,606,846,976 bytes)'",
    "9223372036854775807, '8 EiB (9,223,372,036,854,775,807 bytes)'"
  })
  void cpuDataAndGpuData_impossibleSize_throwAndChangeNothing(long size, String text) {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("pool", host, BfcOptions.expandable());
        SyncedMemory huge = SyncedMemory.of("huge", size, gpu.pool());
        SyncedMemory pooled = SyncedMemory.of("pooled", size, pool)) {
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(huge::cpuData)
          .withMessageStartingWith(
              "buffer 'huge' has no host memory for its %1$s; close other buffers, or use a MemoryPool, which reports the owners: device 'gpu' refused %1$s",
              text);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(huge::gpuData)
          .withMessageStartingWith(
              "allocator 'gpu' is out of memory for 'huge': %s requested.", text);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(pooled::cpuData)
          .withMessageStartingWith(
              "allocator 'pool' is out of memory for 'pooled': %s requested.", text);
      assertThat(huge.head()).isEqualTo(SyncedHead.UNINITIALIZED);
      assertThat(pooled.head()).isEqualTo(SyncedHead.UNINITIALIZED);
    }
  }

  @Test
  void gpuData_noDeviceMemory_leavesEverythingAsItWas() {
    try (SimulatedGpu small = SimulatedGpu.open("small", 1 << 20);
        SyncedMemory large = SyncedMemory.of("large", 2 << 20, small.pool())) {
      large.mutableCpuData().fill((byte) 1);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(large::gpuData)
          .withMessageStartingWith(
              "allocator 'small' is out of memory for 'large': 2 MiB (2,097,152 bytes) requested.");
      assertThat(large.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      assertThat(Bytes.of(large.cpuData())).containsOnly(1);
    }
  }

  @Test
  void gpuData_copyFails_isNamedAndGivesItsMemoryBack() {
    MemorySegment reading = buffer.cpuData();
    device.failAt(2);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(buffer::mutableGpuData)
        .withMessage(
            "copying bytes [0, 10) of buffer 'x' to device 'gpu' failed: SIMULATED_FAILURE (1)")
        .withCauseInstanceOf(DeviceException.class);
    assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
    assertThat(gpu.bytesInUse()).isZero();
    assertThat(reading.scope().isAlive()).isFalse();
    assertThat(Bytes.of(buffer.gpuData())).containsOnly(0);
  }

  @Test
  void gpuData_zeroingFails_staysUninitialized() {
    device.failAt(2);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(buffer::gpuData)
        .withMessage("zeroing buffer 'x' failed: SIMULATED_FAILURE (1)");
    assertThat(buffer.head()).isEqualTo(SyncedHead.UNINITIALIZED);
    assertThat(gpu.bytesInUse()).isZero();
  }

  @Test
  void allocation_onTheDevice_bearsTheBuffersName() {
    buffer.gpuData();
    assertThat(gpu.pool().allocations()).extracting(Allocation::tag).containsExactly("x");
  }

  @Test
  void gpuData_deviceWhoseKernelsNeedMore_isAlignedForThem() {
    SimulatedDevice wide = new SimulatedDevice("wide", 1 << 20, 1024);
    try (DevicePool memory = DevicePool.open("wide", wide, BfcOptions.growing())) {
      long before = memory.allocate(1);
      try (SyncedMemory first = SyncedMemory.of("first", 1, memory);
          SyncedMemory second = SyncedMemory.of("second", 1, memory)) {
        assertThat(first.gpuData().address()).isEqualTo(before + 1024);
        assertThat(second.gpuData().address()).isEqualTo(before + 2048);
      }
      memory.free(before);
    }
  }

  /** A kernel needs no whole page. */
  @Test
  void gpuData_deviceOfPages_liesCloser() {
    try (HostMemory host = HostMemory.open();
        DevicePool memory = DevicePool.open("host", host, BfcOptions.growing())) {
      assertThat(host.alignmentBytes()).isGreaterThan(256);
      try (SyncedMemory first = SyncedMemory.of("first", 1, memory);
          SyncedMemory second = SyncedMemory.of("second", 1, memory)) {
        long address = first.gpuData().address();
        assertThat(second.gpuData().address()).isEqualTo(address + 256);
      }
    }
  }
}
