package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.internal.CallerStack;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.lifetime.UnclosedReport;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.testing.Caller;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Buffers on the host, one device or several, from the first use to the end. */
class SyncedMemoryTest {

  private final SimulatedGpu gpu = SimulatedGpu.open();
  private final SimulatedDevice device = gpu.device();
  private final SyncedMemory buffer = SyncedMemory.of("x", 10, gpu.pool());

  @AfterEach
  void close_afterAnyTest_freesEverything() {
    buffer.close();
    gpu.close();
  }

  /** The example of the Javadoc. */
  @Test
  void example_ofTheDocumentation_copiesTwice() {
    DevicePool onGpu = gpu.pool();
    try (SyncedMemory weights = SyncedMemory.of("weights", 4000, onGpu)) {
      weights.mutableCpuData().fill((byte) 1);
      assertThat(weights.gpuData().addressOn(device)).isNotZero();
      device.fill(weights.mutableGpuData().addressOn(device), 4000, (byte) 2);
      assertThat(weights.cpuData().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 2);
      assertThat(weights.cpuData().get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 2);
      assertThat(weights.copies()).isEqualTo(new CopyCounts(1, 4000, 1, 4000));
    }
  }

  @Test
  void of_fresh_isUninitializedAndHasNothing() {
    assertThat(buffer.head()).isEqualTo(SyncedHead.UNINITIALIZED);
    assertThat(buffer.byteSize()).isEqualTo(10);
    assertThat(buffer.name()).isEqualTo("x");
    assertThat(buffer.devices()).containsExactly(device);
    assertThat(buffer).hasToString("buffer 'x' of 10 bytes, UNINITIALIZED");
    assertThat(device.calls()).isZero();
  }

  @Test
  void cpuAndGpuData_bothAsked_areAllocated() {
    assertThat(buffer.cpuData().address()).isNotZero();
    assertThat(gpu.bytesInUse()).isZero();
    assertThat(buffer.gpuData().address()).isNotZero();
    assertThat(gpu.bytesInUse()).isEqualTo(256);
    assertThat(buffer.mutableCpuData().address()).isNotZero();
    assertThat(buffer.mutableGpuData().address()).isNotZero();
    assertThat(gpu.bytesInUse()).isEqualTo(256);
  }

  @Test
  void mutableCpuData_writtenTwice_hasTheWrites() {
    for (byte value = 1; value <= 2; value++) {
      MemorySegment data = buffer.mutableCpuData();
      assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      data.fill(value);
      assertThat(Bytes.of(data)).containsOnly(value);
    }
  }

  @Test
  void gpuData_afterWritesOnTheHost_holdsThem() {
    for (byte value = 1; value <= 2; value++) {
      buffer.mutableCpuData().fill(value);
      assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      assertThat(Bytes.of(buffer.gpuData())).containsOnly(value);
      assertThat(buffer.head()).isEqualTo(SyncedHead.SYNCED);
    }
  }

  @Test
  void cpuData_afterWritesOnTheDevice_holdsThem() {
    for (byte value = 1; value <= 2; value++) {
      DeviceData data = buffer.mutableGpuData();
      assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_GPU);
      device.fill(data.address(), buffer.byteSize(), value);
      assertThat(Bytes.of(buffer.cpuData())).containsOnly(value);
      assertThat(buffer.head()).isEqualTo(SyncedHead.SYNCED);
    }
  }

  @Test
  void anyCall_forAnotherDevice_isRejected() {
    try (SimulatedGpu other = SimulatedGpu.open("other", 1000);
        DeviceStream stream = other.device().openStream()) {
      String message =
          "buffer 'x' cannot be used on device 'other': its devices are ['gpu']; name all devices when you make the buffer";
      assertThatIllegalArgumentException()
          .isThrownBy(() -> buffer.gpuData(other.device()))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> buffer.mutableGpuData(other.device()))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> buffer.setGpuData(other.device(), 256))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> buffer.asyncGpuPush(stream))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> buffer.isCurrentOn(other.device()))
          .withMessage(message);
      assertThat(buffer.head()).isEqualTo(SyncedHead.UNINITIALIZED);
    }
  }

  @Test
  void severalDevices_contents_goThroughTheHost() {
    try (SimulatedGpu second = SimulatedGpu.open("second", 1 << 20);
        SyncedMemory shared = SyncedMemory.of("shared", 10, gpu.pool(), second.pool())) {
      DeviceData kept = shared.mutableGpuData();
      kept.fill((byte) 3);
      assertThat(Bytes.of(shared.gpuData(second.device()))).containsOnly(3);
      assertThat(shared.head()).isEqualTo(SyncedHead.SYNCED);
      assertThat(shared.isCurrentOn(device)).isTrue();
      assertThat(kept.isLive()).isFalse();
      assertThat(shared.copies()).isEqualTo(new CopyCounts(1, 10, 1, 10));

      shared.mutableGpuData(second.device(), 4, 2).fill((byte) 4);
      assertThat(shared.isCurrentOn(device)).isFalse();
      assertThat(Bytes.of(shared.gpuData())).containsExactly(3, 3, 3, 3, 4, 4, 3, 3, 3, 3);
      assertThat(shared.copies()).isEqualTo(new CopyCounts(2, 12, 2, 12));
    }
  }

  @Test
  void severalDevices_connected_copyDirectly() {
    try (SimulatedGpu second = SimulatedGpu.open("second", 1 << 20);
        SyncedMemory shared = SyncedMemory.of("shared", 10, gpu.pool(), second.pool())) {
      device.connect(second.device());
      DeviceData kept = shared.mutableGpuData();
      kept.fill((byte) 3);
      assertThat(Bytes.of(shared.gpuData(second.device()))).containsOnly(3);
      assertThat(shared.head()).isEqualTo(SyncedHead.HEAD_AT_GPU);
      assertThat(shared.isCurrentOn(device)).isTrue();
      assertThat(kept.isLive()).isFalse();
      assertThat(shared.copies()).isEqualTo(new CopyCounts(0, 0, 0, 0, 1, 10));

      shared.mutableGpuData(second.device(), 4, 2).fill((byte) 4);
      assertThat(Bytes.of(shared.gpuData())).containsExactly(3, 3, 3, 3, 4, 4, 3, 3, 3, 3);
      assertThat(shared.copies()).isEqualTo(new CopyCounts(0, 0, 0, 0, 2, 12));

      assertThat(shared.cpuData().get(ValueLayout.JAVA_BYTE, 4)).isEqualTo((byte) 4);
      assertThat(shared.copies()).isEqualTo(new CopyCounts(0, 0, 1, 10, 2, 12));
      assertThat(second.device().fromDevices().bytes()).isEqualTo(10);
    }
  }

  @Test
  void severalDevices_directCopyFails_contentsStayOnTheFirst() {
    try (SimulatedGpu second = SimulatedGpu.open("second", 1 << 20);
        SyncedMemory shared = SyncedMemory.of("shared", 10, gpu.pool(), second.pool())) {
      device.connect(second.device());
      shared.mutableGpuData().fill((byte) 3);
      second.device().failAt(2); // the region, then the copy
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> shared.gpuData(second.device()))
          .withMessage(
              "copying bytes [0, 10) of buffer 'shared' from device 'gpu' to device 'second' failed:"
                  + " SIMULATED_FAILURE (1)");
      assertThat(shared.isCurrentOn(second.device())).isFalse();
      assertThat(second.pool().statistics().bytesInUse()).isZero();
      assertThat(Bytes.of(shared.gpuData(second.device()))).containsOnly(3);
    }
  }

  @Test
  void of_deviceTwice_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SyncedMemory.of("y", 10, gpu.pool(), gpu.pool()))
        .withMessage("buffer 'y' must not have a device twice: devices=['gpu', 'gpu']");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SyncedMemory.of("y", -1, gpu.pool()))
        .withMessage("buffer 'y' has a negative size: bytes=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SyncedMemory.of("", 1, gpu.pool()))
        .withMessage("a buffer must have a name: name=''");
  }

  @Test
  void of_noBytes_hasAllStates() {
    try (SyncedMemory empty = SyncedMemory.of("empty", 0, gpu.pool())) {
      assertThat(empty.gpuData().byteSize()).isZero();
      assertThat(empty.head()).isEqualTo(SyncedHead.HEAD_AT_GPU);
      assertThat(empty.mutableCpuData().byteSize()).isZero();
      assertThat(empty.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      empty.gpuData();
      assertThat(empty.head()).isEqualTo(SyncedHead.SYNCED);
      assertThat(empty.copies()).isEqualTo(CopyCounts.NONE);
    }
  }

  @Test
  void of_pool_takesHostMemoryThereAndGivesItBack() {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("host", host, BfcOptions.expandable())) {
      try (SyncedMemory pooled = SyncedMemory.of("pooled", 1000, pool, gpu.pool())) {
        assertThat(pool.statistics().bytesInUse()).isZero();
        pooled.mutableCpuData().fill((byte) 1);
        assertThat(pool.statistics().bytesInUse()).isEqualTo(1024);
        assertThat(Bytes.of(pooled.gpuData())).containsOnly(1);
      }
      assertThat(pool.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void of_poolWithoutDevice_isOfTheHostAlone() {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("host", host, BfcOptions.expandable());
        SyncedMemory alone = SyncedMemory.of("alone", 1000, pool)) {
      assertThat(Bytes.of(alone.cpuData())).containsOnly(0);
      assertThatIllegalStateException()
          .isThrownBy(alone::gpuData)
          .withMessage("buffer 'alone' has no device: name one when you make the buffer");
    }
  }

  @Test
  void of_poolThatIsClosedBefore_endsSegments() {
    try (HostMemory host = HostMemory.open()) {
      MemoryPool pool = MemoryPool.open("host", host, BfcOptions.expandable());
      SyncedMemory pooled = SyncedMemory.of("pooled", 1000, pool, gpu.pool());
      MemorySegment kept = pooled.mutableCpuData();
      pool.close();
      assertThatIllegalStateException().isThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0));
      assertThatIllegalStateException()
          .isThrownBy(pooled::cpuData)
          .withMessageStartingWith("host memory of buffer 'pooled' has ended: its pool");
      pooled.close();
    }
  }

  @Test
  void close_anyUseAfterwards_isRejected() {
    MemorySegment host = buffer.cpuData();
    DeviceData onDevice = buffer.gpuData();
    buffer.close();
    buffer.close();
    assertThat(gpu.bytesInUse()).isZero();
    assertThatIllegalStateException().isThrownBy(() -> host.get(ValueLayout.JAVA_BYTE, 0));
    assertThatIllegalStateException()
        .isThrownBy(onDevice::address)
        .withMessage(
            "data of buffer 'x' on device 'gpu' has ended: the buffer is closed; request the data for each use");
    for (Runnable use :
        new Runnable[] {
          buffer::cpuData,
          buffer::mutableCpuData,
          buffer::gpuData,
          buffer::mutableGpuData,
          buffer::head,
          () -> buffer.setGpuData(256),
          () -> buffer.setCpuData(host)
        }) {
      assertThatIllegalStateException().isThrownBy(use::run).withMessage("buffer 'x' is closed");
    }
    assertThat(buffer).hasToString("buffer 'x' of 10 bytes, closed");
  }

  @Test
  void close_pushStillQueued_waitsForIt() {
    try (DeviceStream stream = device.openStream()) {
      buffer.cpuData();
      buffer.asyncGpuPush(stream);
      buffer.close();
      assertThat(device.fromHost().count()).isOne();
    }
  }

  @Test
  void buffer_unreachable_isCollectedAndKeepsItsMemory() {
    WeakReference<SyncedMemory> lost = new WeakReference<>(SyncedMemory.of("lost", 8, gpu.pool()));
    MemorySegment segment = Objects.requireNonNull(lost.get()).mutableCpuData();
    while (lost.get() != null) {
      System.gc();
    }
    segment.fill((byte) 1);
  }

  @Test
  void report_notClosed_hasTheStackOfTheCaller() {
    List<String> told = new ArrayList<>();
    CallerStack stack = Caller.make(CallerStack::new);
    AtomicBoolean open = new AtomicBoolean(true);
    UnclosedReport report = BufferWatch.report("x", 8, open, Optional.of(stack), told::add);
    report.run();
    open.set(false);
    report.run();
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().lines().limit(2))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .isEqualTo(
                        "buffer 'x' of 8 bytes became unreachable without being closed, and its memory stays in use: call close()"),
            second -> assertThat(second).contains("dev.stowage.testing.Caller.make("));
  }
}
