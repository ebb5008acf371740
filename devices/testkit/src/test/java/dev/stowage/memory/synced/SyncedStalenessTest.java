package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Segments and device data end when they would be stale, and copies cover only written ranges. */
class SyncedStalenessTest {

  private final SimulatedGpu gpu = SimulatedGpu.open();
  private final SimulatedDevice device = gpu.device();
  private final SyncedMemory buffer = SyncedMemory.of("x", 10, gpu.pool());

  @AfterEach
  void close_afterAnyTest_freesEverything() {
    buffer.close();
    gpu.close();
  }

  @Test
  void cpuData_writtenTo_isRefused() {
    MemorySegment data = buffer.cpuData();
    assertThat(data.isReadOnly()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> data.set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
    assertThat(buffer.mutableCpuData().isReadOnly()).isFalse();
  }

  @Test
  void cpuData_keptWhileTheDeviceIsWritten_hasEnded() {
    MemorySegment kept = buffer.cpuData();
    buffer.gpuData();
    buffer.checkLive(kept);
    assertThat(Bytes.of(kept)).containsOnly(0);
    buffer.mutableGpuData().fill((byte) 1);
    assertThatIllegalStateException()
        .isThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0))
        .withMessage("Already closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> buffer.checkLive(kept))
        .withMessage(
            "a host segment of buffer 'x' has ended: the buffer was written elsewhere, was copied elsewhere while the segment was writable, or is closed; call cpuData() or mutableCpuData() for each use");
    assertThat(Bytes.of(buffer.cpuData())).containsOnly(1);
  }

  @Test
  void mutableCpuData_keptWhileTheDeviceReads_hasEnded() {
    MemorySegment kept = buffer.mutableCpuData();
    MemorySegment reading = buffer.cpuData();
    kept.fill((byte) 1);
    buffer.gpuData();
    assertThatIllegalStateException().isThrownBy(() -> kept.fill((byte) 2));
    assertThat(Bytes.of(reading)).containsOnly(1);
  }

  @Test
  void mutableCpuData_whileTheHostHasTheHead_keepsEarlierSegments() {
    MemorySegment reading = buffer.cpuData();
    MemorySegment first = buffer.mutableCpuData();
    buffer.mutableCpuData().fill((byte) 1);
    first.set(ValueLayout.JAVA_BYTE, 3, (byte) 2);
    assertThat(Bytes.of(reading)).containsExactly(1, 1, 1, 2, 1, 1, 1, 1, 1, 1);
  }

  @Test
  void gpuData_keptWhileTheHostIsWritten_hasEnded() {
    DeviceData kept = buffer.gpuData();
    buffer.cpuData();
    assertThat(kept.isLive()).isTrue();
    assertThat(kept.isReadOnly()).isTrue();
    buffer.mutableCpuData();
    assertThat(kept.isLive()).isFalse();
    assertThat(kept).hasToString("10 bytes of buffer 'x' on device 'gpu', read-only, ended");
    assertThatIllegalStateException()
        .isThrownBy(kept::address)
        .withMessage(
            "data of buffer 'x' on device 'gpu' has ended: the buffer was written elsewhere; request the data for each use");
    assertThatIllegalStateException()
        .isThrownBy(() -> kept.copyTo(MemorySegment.ofArray(new byte[10])));
  }

  @Test
  void mutableGpuData_keptWhileTheHostReads_hasEnded() {
    DeviceData kept = buffer.mutableGpuData();
    DeviceData reading = buffer.gpuData();
    kept.copyFrom(MemorySegment.ofArray(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    buffer.cpuData();
    assertThatIllegalStateException()
        .isThrownBy(() -> kept.fill((byte) 1))
        .withMessage(
            "data of buffer 'x' on device 'gpu' has ended: the buffer was copied elsewhere, and that copy would miss later writes; request the data for each use");
    assertThat(Bytes.of(reading)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @Test
  void deviceData_usedWrongly_saysHow() {
    DeviceData reading = buffer.gpuData();
    assertThatIllegalStateException()
        .isThrownBy(() -> reading.fill((byte) 1))
        .withMessage(
            "data of buffer 'x' on device 'gpu' is read-only; call mutableGpuData to write");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reading.copyTo(MemorySegment.ofArray(new byte[9])))
        .withMessage(
            "data of buffer 'x' on device 'gpu' has 10 bytes, and the segment to copy must have the same size: byteSize=9");
    assertThat(reading.addressOn(device)).isEqualTo(reading.address());
    try (SimulatedGpu other = SimulatedGpu.open("other", 1000)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> reading.addressOn(other.device()))
          .withMessage(
              "data of buffer 'x' is on device 'gpu' and cannot be used on device 'other'; call gpuData for that device");
    }
  }

  @Test
  void mutableCpuData_partsWritten_onlyTheseAreCopied() {
    buffer.gpuData();
    buffer.mutableCpuData(1, 2).fill((byte) 1);
    buffer.mutableCpuData(6, 3).fill((byte) 2);
    assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
    assertThat(Bytes.of(buffer.gpuData())).containsExactly(0, 1, 1, 0, 0, 0, 2, 2, 2, 0);
    assertThat(device.fromHost()).isEqualTo(new SimulatedDevice.Traffic(2, 5));

    buffer.mutableGpuData(3, 4).fill((byte) 5);
    CopyCounts before = buffer.copies();
    assertThat(Bytes.of(buffer.cpuData())).containsExactly(0, 1, 1, 5, 5, 5, 5, 2, 2, 0);
    assertThat(buffer.copies().bytesToHost() - before.bytesToHost()).isEqualTo(4);
  }

  @Test
  void mutableCpuData_part_isAllThatCanBeTouched() {
    MemorySegment part = buffer.mutableCpuData(4, 2);
    assertThat(part.byteSize()).isEqualTo(2);
    assertThat(buffer.mutableGpuData(4, 2).byteSize()).isEqualTo(2);
    for (long[] outside : new long[][] {{-1, 2}, {0, 11}, {11, 0}, {5, -1}, {1, Long.MAX_VALUE}}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> buffer.mutableCpuData(outside[0], outside[1]))
          .withMessage(
              "the range does not lie within buffer 'x': offset=%s, bytes=%s, byteSize=10",
              outside[0], outside[1]);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> buffer.mutableGpuData(outside[0], outside[1]));
    }
    assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_GPU);
  }
}
