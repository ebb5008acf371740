package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Copies to a device that a stream queues. */
class SyncedPushTest {

  private final SimulatedGpu gpu = SimulatedGpu.open();
  private final SimulatedDevice device = gpu.device();
  private final SyncedMemory buffer = SyncedMemory.of("x", 10, gpu.pool());

  @AfterEach
  void close_afterAnyTest_freesEverything() {
    buffer.close();
    gpu.close();
  }

  @Test
  void asyncGpuPush_streamNotYetRun_isWaitedForBeforeItsUse() {
    try (DeviceStream stream = device.openStream()) {
      buffer.mutableCpuData().fill((byte) 6);
      MemorySegment reading = buffer.cpuData();
      buffer.asyncGpuPush(stream);
      assertThat(buffer.head()).isEqualTo(SyncedHead.SYNCED);
      assertThat(Bytes.of(buffer.cpuData())).isEqualTo(Bytes.of(reading)).containsOnly(6);
      assertThat(device.fromHost().count()).isZero();
      assertThat(Bytes.of(buffer.gpuData())).containsOnly(6);
      assertThat(device.fromHost()).isEqualTo(new SimulatedDevice.Traffic(1, 10));
    }
  }

  @Test
  void asyncGpuPush_hostWrittenAfterwards_doesNotChangeTheCopy() {
    try (DeviceStream stream = device.openStream()) {
      MemorySegment kept = buffer.mutableCpuData().fill((byte) 6);
      buffer.asyncGpuPush(stream);
      assertThatIllegalStateException().isThrownBy(() -> kept.fill((byte) 7));
      buffer.mutableCpuData(0, 5).fill((byte) 7);
      assertThat(device.fromHost().count()).isOne();
      assertThat(Bytes.of(buffer.gpuData())).containsExactly(7, 7, 7, 7, 7, 6, 6, 6, 6, 6);
    }
  }

  @Test
  void asyncGpuPush_otherHeads_isRejected() {
    try (DeviceStream stream = device.openStream()) {
      for (Runnable next : new Runnable[] {() -> {}, buffer::gpuData, buffer::cpuData}) {
        next.run();
        assertThatIllegalStateException()
            .isThrownBy(() -> buffer.asyncGpuPush(stream))
            .withMessage(
                "buffer 'x' cannot be pushed to device 'gpu': head=%s; push only if the device is stale, and the host or a device with direct copies is current",
                buffer.head());
      }
    }
  }

  @Test
  void asyncGpuPush_toSeveralDevices_copiesToEach() {
    try (SimulatedGpu second = SimulatedGpu.open("second", 1 << 20);
        DeviceStream first = device.openStream();
        DeviceStream other = second.device().openStream();
        SyncedMemory shared = SyncedMemory.of("shared", 10, gpu.pool(), second.pool())) {
      shared.mutableCpuData().fill((byte) 6);
      shared.asyncGpuPush(first);
      shared.asyncGpuPush(other);
      assertThatIllegalStateException()
          .isThrownBy(() -> shared.asyncGpuPush(other))
          .withMessageStartingWith(
              "buffer 'shared' cannot be pushed to device 'second': head=SYNCED");
      shared.mutableCpuData().fill((byte) 7); // waits for both
      assertThat(device.fromHost().count()).isOne();
      assertThat(second.device().fromHost().count()).isOne();
      assertThat(shared.copies()).isEqualTo(new CopyCounts(2, 20, 0, 0));
    }
  }

  @Test
  void asyncGpuPush_contentsOnAConnectedDevice_isADirectCopy() {
    try (SimulatedGpu second = SimulatedGpu.open("second", 1 << 20);
        DeviceStream stream = second.device().openStream();
        SyncedMemory shared = SyncedMemory.of("shared", 10, gpu.pool(), second.pool())) {
      shared.mutableGpuData().fill((byte) 6);
      assertThatIllegalStateException().isThrownBy(() -> shared.asyncGpuPush(stream));
      device.connect(second.device());
      DeviceData kept = shared.mutableGpuData();
      shared.asyncGpuPush(stream);
      assertThat(kept.isLive()).isFalse();
      assertThat(second.device().fromDevices().count()).isZero();
      shared.mutableGpuData().fill((byte) 7); // waits, because the copy reads this memory
      assertThat(second.device().fromDevices()).isEqualTo(new SimulatedDevice.Traffic(1, 10));
      shared.asyncGpuPush(stream);
      assertThat(Bytes.of(shared.gpuData(second.device()))).containsOnly(7);
      assertThat(shared.copies().betweenDevices()).isEqualTo(2);
      assertThat(shared.copies().toHost()).isZero();
    }
  }

  @Test
  void asyncGpuPush_copyFromADeviceFailsLater_keepsTheContentsThere() {
    try (SimulatedGpu second = SimulatedGpu.open("second", 1 << 20);
        SyncedMemory shared = SyncedMemory.of("shared", 10, gpu.pool(), second.pool())) {
      DeviceStream stream = second.device().openStream();
      device.connect(second.device());
      shared.mutableGpuData().fill((byte) 6);
      shared.asyncGpuPush(stream);
      second.device().failAt(1);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> shared.gpuData(second.device()))
          .withMessage("pushing buffer 'shared' to device 'second' failed: SIMULATED_FAILURE (1)");
      assertThat(shared.isCurrentOn(second.device())).isFalse();
      assertThat(Bytes.of(shared.cpuData())).containsOnly(6);
      assertThatExceptionOfType(DeviceException.class).isThrownBy(stream::close);
    }
  }

  @Test
  void asyncGpuPush_copyFailsLater_throwsAndKeepsTheContents() {
    DeviceStream stream = device.openStream();
    buffer.mutableCpuData().fill((byte) 6);
    buffer.asyncGpuPush(stream);
    device.failAt(1);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(buffer::gpuData)
        .withMessage("pushing buffer 'x' to device 'gpu' failed: SIMULATED_FAILURE (1)");
    assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
    assertThat(Bytes.of(buffer.gpuData())).containsOnly(6);
    assertThatExceptionOfType(DeviceException.class).isThrownBy(stream::close);
  }

  @Test
  void asyncGpuPush_streamClosed_changesNothing() {
    DeviceStream stream = device.openStream();
    stream.close();
    buffer.cpuData();
    assertThatIllegalStateException()
        .isThrownBy(() -> buffer.asyncGpuPush(stream))
        .withMessage("a stream of device 'gpu' is closed");
    assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
    assertThat(gpu.bytesInUse()).isZero();
  }
}
