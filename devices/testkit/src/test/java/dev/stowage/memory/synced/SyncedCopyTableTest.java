package dev.stowage.memory.synced;

import static dev.stowage.memory.synced.SyncedHead.HEAD_AT_CPU;
import static dev.stowage.memory.synced.SyncedHead.HEAD_AT_GPU;
import static dev.stowage.memory.synced.SyncedHead.SYNCED;
import static dev.stowage.memory.synced.SyncedHead.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of Caffe's table of states and copies, counted on a simulated device. */
class SyncedCopyTableTest {

  private static final int BYTES = 1000;

  /** A column of Caffe's table. */
  enum Call {
    CPU_DATA,
    MUTABLE_CPU_DATA,
    GPU_DATA,
    MUTABLE_GPU_DATA;

    /** {@return the contents, read from the side of the call} */
    byte[] dataOf(SyncedMemory buffer) {
      return switch (this) {
        case CPU_DATA -> Bytes.of(buffer.cpuData());
        case MUTABLE_CPU_DATA -> Bytes.of(buffer.mutableCpuData());
        case GPU_DATA -> Bytes.of(buffer.gpuData());
        case MUTABLE_GPU_DATA -> Bytes.of(buffer.mutableGpuData());
      };
    }
  }

  static Stream<Arguments> rows() {
    return Stream.of(
        row(UNINITIALIZED, Call.CPU_DATA, 0, 0, HEAD_AT_CPU),
        row(UNINITIALIZED, Call.MUTABLE_CPU_DATA, 0, 0, HEAD_AT_CPU),
        row(UNINITIALIZED, Call.GPU_DATA, 0, 0, HEAD_AT_GPU),
        row(UNINITIALIZED, Call.MUTABLE_GPU_DATA, 0, 0, HEAD_AT_GPU),
        row(HEAD_AT_CPU, Call.CPU_DATA, 0, 0, HEAD_AT_CPU),
        row(HEAD_AT_CPU, Call.MUTABLE_CPU_DATA, 0, 0, HEAD_AT_CPU),
        row(HEAD_AT_CPU, Call.GPU_DATA, 1, 0, SYNCED),
        row(HEAD_AT_CPU, Call.MUTABLE_GPU_DATA, 1, 0, HEAD_AT_GPU),
        row(HEAD_AT_GPU, Call.CPU_DATA, 0, 1, SYNCED),
        row(HEAD_AT_GPU, Call.MUTABLE_CPU_DATA, 0, 1, HEAD_AT_CPU),
        row(HEAD_AT_GPU, Call.GPU_DATA, 0, 0, HEAD_AT_GPU),
        row(HEAD_AT_GPU, Call.MUTABLE_GPU_DATA, 0, 0, HEAD_AT_GPU),
        row(SYNCED, Call.CPU_DATA, 0, 0, SYNCED),
        row(SYNCED, Call.MUTABLE_CPU_DATA, 0, 0, HEAD_AT_CPU),
        row(SYNCED, Call.GPU_DATA, 0, 0, SYNCED),
        row(SYNCED, Call.MUTABLE_GPU_DATA, 0, 0, HEAD_AT_GPU));
  }

  private static Arguments row(
      SyncedHead from, Call call, int toDevice, int toHost, SyncedHead to) {
    return Arguments.of(from, call, toDevice, toHost, to);
  }

  @ParameterizedTest(name = "{0}, {1}: {2} to the device, {3} to the host, {4}")
  @MethodSource("rows")
  void call_inState_copiesAsCaffe(
      SyncedHead from, Call call, int toDevice, int toHost, SyncedHead to) {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        SyncedMemory buffer = in(from, gpu)) {
      byte[] expected = new byte[BYTES];
      Arrays.fill(expected, (byte) (from == UNINITIALIZED ? 0 : 7));
      SimulatedDevice.Traffic up = gpu.device().fromHost();
      SimulatedDevice.Traffic down = gpu.device().toHost();
      CopyCounts before = buffer.copies();
      byte[] found = call.dataOf(buffer);
      boolean peeked = call == Call.GPU_DATA || call == Call.MUTABLE_GPU_DATA;
      assertThat(found).isEqualTo(expected);
      assertThat(buffer.head()).isEqualTo(to);
      assertThat(gpu.device().fromHost().count() - up.count()).isEqualTo(toDevice);
      assertThat(gpu.device().fromHost().bytes() - up.bytes()).isEqualTo((long) toDevice * BYTES);
      assertThat(gpu.device().toHost().count() - down.count()).isEqualTo(toHost + (peeked ? 1 : 0));
      assertThat(buffer.copies())
          .isEqualTo(
              new CopyCounts(
                  before.toDevices() + toDevice,
                  before.bytesToDevices() + (long) toDevice * BYTES,
                  before.toHost() + toHost,
                  before.bytesToHost() + (long) toHost * BYTES));
    }
  }

  /** {@return a buffer in a state, full of sevens unless it is uninitialized} */
  private static SyncedMemory in(SyncedHead head, SimulatedGpu gpu) {
    SyncedMemory buffer = SyncedMemory.of("x", BYTES, gpu.pool());
    switch (head) {
      case UNINITIALIZED -> {}
      case HEAD_AT_CPU -> buffer.mutableCpuData().fill((byte) 7);
      case HEAD_AT_GPU -> buffer.mutableGpuData().fill((byte) 7);
      case SYNCED -> {
        buffer.mutableCpuData().fill((byte) 7);
        buffer.gpuData();
      }
    }
    assertThat(buffer.head()).isEqualTo(head);
    return buffer;
  }

  @ParameterizedTest
  @EnumSource
  void setCpuData_inAnyState_movesTheHeadAndCopiesNothing(SyncedHead from) {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        Arena arena = Arena.ofConfined();
        SyncedMemory buffer = in(from, gpu)) {
      SimulatedGpu.Copies before = gpu.copies();
      MemorySegment mine = arena.allocate(BYTES).fill((byte) 9);
      buffer.setCpuData(mine);
      assertThat(buffer.head()).isEqualTo(HEAD_AT_CPU);
      assertThat(gpu.copies()).isEqualTo(before);
      assertThat(Bytes.of(buffer.gpuData())).containsOnly(9);
      assertThat(buffer.head()).isEqualTo(SYNCED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void setGpuData_inAnyState_movesTheHeadAndCopiesNothing(SyncedHead from) {
    try (SimulatedGpu gpu = SimulatedGpu.open()) {
      long mine = gpu.pool().allocate(BYTES);
      gpu.device().fill(mine, BYTES, (byte) 9);
      try (SyncedMemory buffer = in(from, gpu)) {
        SimulatedGpu.Copies before = gpu.copies();
        buffer.setGpuData(mine);
        assertThat(buffer.head()).isEqualTo(HEAD_AT_GPU);
        assertThat(gpu.copies()).isEqualTo(before);
        assertThat(buffer.gpuData().address()).isEqualTo(mine);
        assertThat(Bytes.of(buffer.cpuData())).containsOnly(9);
        assertThat(buffer.head()).isEqualTo(SYNCED);
      }
      gpu.pool().free(mine); // ours still: it was not freed by the buffer
    }
  }

  @Test
  void documentedSequence_ofNineCalls_makesFourCopies() {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        SyncedMemory data = SyncedMemory.of("data", BYTES, gpu.pool())) {
      data.mutableCpuData();
      data.gpuData();
      assertThat(gpu.copies()).isEqualTo(new SimulatedGpu.Copies(1, 0));
      data.cpuData();
      data.mutableGpuData();
      data.mutableGpuData();
      assertThat(gpu.copies()).isEqualTo(new SimulatedGpu.Copies(1, 0));
      data.cpuData();
      assertThat(gpu.copies()).isEqualTo(new SimulatedGpu.Copies(1, 1));
      data.gpuData();
      data.mutableCpuData();
      assertThat(gpu.copies()).isEqualTo(new SimulatedGpu.Copies(1, 1));
      data.mutableGpuData();
      assertThat(gpu.copies()).isEqualTo(new SimulatedGpu.Copies(2, 1));
      data.mutableCpuData();
      assertThat(gpu.copies()).isEqualTo(new SimulatedGpu.Copies(2, 2));
    }
  }
}
