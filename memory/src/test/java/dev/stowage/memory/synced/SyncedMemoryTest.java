package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.core.bfc.CallerStack;
import dev.stowage.core.bfc.SubAllocator;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.device.SimulatedDevice;
import dev.stowage.memory.lifetime.Forgotten;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.user.Caller;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyncedMemoryTest {

  private final SimulatedGpu gpu = SimulatedGpu.open();
  private final SimulatedDevice device = gpu.device();
  private final SyncedMemory buffer = SyncedMemory.of("x", 10, gpu.memory());

  @AfterEach
  void close_afterAnyTest_freesEverything() {
    buffer.close();
    gpu.close();
  }

  private static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  private static byte[] bytes(DeviceData data) {
    MemorySegment host = MemorySegment.ofArray(new byte[(int) data.byteSize()]);
    data.copyTo(host);
    return bytes(host);
  }

  /** What the class's documentation shows. */
  @Test
  void example_ofTheDocumentation_copiesTwice() {
    DeviceMemory onGpu = gpu.memory();
    try (SyncedMemory weights = SyncedMemory.of("weights", 4000, onGpu)) {
      weights.mutableCpuData().fill((byte) 1);
      assertThat(weights.gpuData().addressOn(device)).isNotZero();
      device.fill(weights.mutableGpuData().addressOn(device), 4000, (byte) 2);
      assertThat(weights.cpuData().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 2);
      assertThat(weights.cpuData().get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 2);
      assertThat(weights.copies()).isEqualTo(new CopyCounts(1, 4000, 1, 4000));
    }
  }

  // Caffe's own.

  @Test
  void of_fresh_isUninitializedAndHasNothing() {
    assertThat(buffer.head()).isEqualTo(SyncedHead.UNINITIALIZED);
    assertThat(buffer.size()).isEqualTo(10);
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
  void mutableCpuData_writtenTwice_holdsWhatWasWritten() {
    for (byte value = 1; value <= 2; value++) {
      MemorySegment data = buffer.mutableCpuData();
      assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      data.fill(value);
      assertThat(bytes(data)).containsOnly(value);
    }
  }

  @Test
  void gpuData_afterWritesOnTheHost_holdsThem() {
    for (byte value = 1; value <= 2; value++) {
      buffer.mutableCpuData().fill(value);
      assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      assertThat(bytes(buffer.gpuData())).containsOnly(value);
      assertThat(buffer.head()).isEqualTo(SyncedHead.SYNCED);
    }
  }

  @Test
  void cpuData_afterWritesOnTheDevice_holdsThem() {
    for (byte value = 1; value <= 2; value++) {
      DeviceData data = buffer.mutableGpuData();
      assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_GPU);
      device.fill(data.address(), buffer.size(), value);
      assertThat(bytes(buffer.cpuData())).containsOnly(value);
      assertThat(buffer.head()).isEqualTo(SyncedHead.SYNCED);
    }
  }

  // What was handed out.

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
    assertThat(bytes(kept)).containsOnly(0);
    buffer.mutableGpuData().fill((byte) 1);
    assertThatIllegalStateException()
        .isThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0))
        .withMessage("Already closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> buffer.checkLive(kept))
        .withMessage(
            "a host segment of buffer 'x' has ended: the buffer was written elsewhere since, or copied elsewhere if the segment was for writing, or is closed; ask cpuData() or mutableCpuData() again each time instead of keeping it");
    assertThat(bytes(buffer.cpuData())).containsOnly(1);
  }

  @Test
  void mutableCpuData_keptWhileTheDeviceReads_hasEnded() {
    MemorySegment kept = buffer.mutableCpuData();
    MemorySegment reading = buffer.cpuData();
    kept.fill((byte) 1);
    buffer.gpuData();
    assertThatIllegalStateException().isThrownBy(() -> kept.fill((byte) 2));
    assertThat(bytes(reading)).containsOnly(1);
  }

  @Test
  void mutableCpuData_whileTheHostHasTheHead_keepsWhatWasHandedOut() {
    MemorySegment reading = buffer.cpuData();
    MemorySegment first = buffer.mutableCpuData();
    buffer.mutableCpuData().fill((byte) 1);
    first.set(ValueLayout.JAVA_BYTE, 3, (byte) 2);
    assertThat(bytes(reading)).containsExactly(1, 1, 1, 2, 1, 1, 1, 1, 1, 1);
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
            "data of buffer 'x' on device 'gpu' has ended: the buffer was written elsewhere since; ask again each time instead of keeping it");
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
            "data of buffer 'x' on device 'gpu' has ended: the buffer was copied elsewhere since, and writes here would be missed there; ask again each time instead of keeping it");
    assertThat(bytes(reading)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @Test
  void deviceData_usedWrongly_saysHow() {
    DeviceData reading = buffer.gpuData();
    assertThatIllegalStateException()
        .isThrownBy(() -> reading.fill((byte) 1))
        .withMessage(
            "data of buffer 'x' on device 'gpu' is read-only; ask mutableGpuData to write");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reading.copyTo(MemorySegment.ofArray(new byte[9])))
        .withMessage(
            "data of buffer 'x' on device 'gpu' has another size than what it is copied with: byteSize=10, segment=9");
    assertThat(reading.addressOn(device)).isEqualTo(reading.address());
    try (SimulatedGpu other = SimulatedGpu.open("other", 1000)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> reading.addressOn(other.device()))
          .withMessage(
              "data of buffer 'x' is on device 'gpu' and cannot be used on device 'other'; ask gpuData for that device");
    }
  }

  // Devices.

  @Test
  void anyCall_forAnotherDevice_isRejected() {
    try (SimulatedGpu other = SimulatedGpu.open("other", 1000);
        DeviceStream stream = other.device().openStream()) {
      String message =
          "buffer 'x' cannot be used on device 'other': its devices are ['gpu']; name all devices when the buffer is made";
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
        SyncedMemory shared = SyncedMemory.of("shared", 10, gpu.memory(), second.memory())) {
      DeviceData kept = shared.mutableGpuData();
      kept.fill((byte) 3);
      assertThat(bytes(shared.gpuData(second.device()))).containsOnly(3);
      assertThat(shared.head()).isEqualTo(SyncedHead.SYNCED);
      assertThat(shared.isCurrentOn(device)).isTrue();
      assertThat(kept.isLive()).isFalse();
      assertThat(shared.copies()).isEqualTo(new CopyCounts(1, 10, 1, 10));

      shared.mutableGpuData(second.device(), 4, 2).fill((byte) 4);
      assertThat(shared.isCurrentOn(device)).isFalse();
      assertThat(bytes(shared.gpuData())).containsExactly(3, 3, 3, 3, 4, 4, 3, 3, 3, 3);
      assertThat(shared.copies()).isEqualTo(new CopyCounts(2, 12, 2, 12));
    }
  }

  @Test
  void of_deviceTwice_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SyncedMemory.of("y", 10, gpu.memory(), gpu.memory()))
        .withMessage("buffer 'y' has a device twice: devices=['gpu', 'gpu']");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SyncedMemory.of("y", -1, gpu.memory()))
        .withMessage("buffer 'y' has a negative size: bytes=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SyncedMemory.of("", 1, gpu.memory()))
        .withMessage("a buffer has no name");
  }

  @Test
  void of_noBytes_hasAllStates() {
    try (SyncedMemory empty = SyncedMemory.of("empty", 0, gpu.memory())) {
      assertThat(empty.gpuData().byteSize()).isZero();
      assertThat(empty.head()).isEqualTo(SyncedHead.HEAD_AT_GPU);
      assertThat(empty.mutableCpuData().byteSize()).isZero();
      assertThat(empty.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      empty.gpuData();
      assertThat(empty.head()).isEqualTo(SyncedHead.SYNCED);
      assertThat(empty.copies()).isEqualTo(CopyCounts.NONE);
    }
  }

  // Written ranges.

  @Test
  void mutableCpuData_partsWritten_onlyTheseAreCopied() {
    buffer.gpuData();
    buffer.mutableCpuData(1, 2).fill((byte) 1);
    buffer.mutableCpuData(6, 3).fill((byte) 2);
    assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
    assertThat(bytes(buffer.gpuData())).containsExactly(0, 1, 1, 0, 0, 0, 2, 2, 2, 0);
    assertThat(device.fromHost()).isEqualTo(new SimulatedDevice.Traffic(2, 5));

    buffer.mutableGpuData(3, 4).fill((byte) 5);
    CopyCounts before = buffer.copies();
    assertThat(bytes(buffer.cpuData())).containsExactly(0, 1, 1, 5, 5, 5, 5, 2, 2, 0);
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
              "a part does not lie within buffer 'x': offset=%d, count=%d, size=10",
              outside[0], outside[1]);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> buffer.mutableGpuData(outside[0], outside[1]));
    }
    assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_GPU);
  }

  // Adopted memory.

  @Test
  void setCpuData_adopted_isUsedAndNeverFreed() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mine = arena.allocate(10).fill((byte) 4);
      MemorySegment kept = buffer.cpuData();
      buffer.setCpuData(mine);
      assertThatIllegalStateException().isThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0));
      assertThat(buffer.cpuData().address()).isEqualTo(mine.address());
      assertThat(buffer.cpuData().isReadOnly()).isTrue();
      buffer.mutableGpuData().fill((byte) 5);
      buffer.cpuData();
      assertThat(bytes(mine)).containsOnly(5);
      buffer.close();
      assertThat(bytes(mine)).containsOnly(5);
    }
  }

  @Test
  void setCpuData_whatCannotBeAdopted_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.setCpuData(MemorySegment.ofArray(new byte[10])))
        .withMessageStartingWith(
            "buffer 'x' cannot adopt memory of the Java heap, which devices cannot copy from: ");
    Arena arena = Arena.ofConfined();
    MemorySegment mine = arena.allocate(10);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.setCpuData(mine.asSlice(1)))
        .withMessage("buffer 'x' cannot adopt memory of another size: size=10, data=9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.setCpuData(mine.asReadOnly()))
        .withMessage(
            "buffer 'x' cannot adopt read-only memory, since a device may write; copy it into mutableCpuData() instead");
    arena.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> buffer.setCpuData(mine))
        .withMessageStartingWith("buffer 'x' cannot adopt memory that has ended: ");
    assertThat(buffer.head()).isEqualTo(SyncedHead.UNINITIALIZED);
  }

  /** It would free what it adopts. */
  @Test
  void setCpuDataAndSetGpuData_ownMemory_isRejectedAndNothingIsLost() {
    MemorySegment own = buffer.mutableCpuData().fill((byte) 7);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.setCpuData(own))
        .withMessageStartingWith(
            "buffer 'x' cannot adopt its own host memory, which it frees then: data=");
    long address = buffer.gpuData().address();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.setGpuData(address))
        .withMessage(
            "buffer 'x' cannot adopt its own memory on device 'gpu', which it frees then: address=0x%x",
            address);
    assertThatIllegalArgumentException().isThrownBy(() -> buffer.setGpuData(address + 9));
    buffer.mutableGpuData();
    assertThat(bytes(buffer.cpuData())).containsOnly(7);
  }

  @Test
  void setCpuData_callerEndsItsMemory_isToldAndNothingIsTouched() {
    Arena arena = Arena.ofConfined();
    buffer.setCpuData(arena.allocate(10));
    arena.close();
    String message =
        "host memory of buffer 'x' has ended: the pool it is of was closed, or the arena of what setCpuData adopted; close the buffer first, or adopt other memory";
    assertThatIllegalStateException().isThrownBy(buffer::cpuData).withMessage(message);
    assertThatIllegalStateException().isThrownBy(buffer::gpuData).withMessage(message);
    assertThat(gpu.bytesInUse()).isZero();
  }

  @Test
  void setCpuData_confinedArenaOfAnotherThread_isRejected() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mine = arena.allocate(10);
      inThread(
          "worker",
          () -> {
            assertThatIllegalArgumentException()
                .isThrownBy(() -> buffer.setCpuData(mine))
                .withMessage(
                    "buffer 'x' cannot adopt memory of a confined arena of another thread than 'worker'; take it from Arena.ofShared(): data=%s",
                    mine);
            assertThat(buffer.head()).isEqualTo(SyncedHead.UNINITIALIZED);
          });
      buffer.setCpuData(mine);
      inThread(
          "worker",
          () -> {
            for (Runnable use : new Runnable[] {buffer::cpuData, buffer::gpuData}) {
              assertThatExceptionOfType(WrongThreadException.class)
                  .isThrownBy(use::run)
                  .withMessage(
                      "host memory of buffer 'x' is of a confined arena of another thread than 'worker'; adopt memory of Arena.ofShared() for many threads");
            }
          });
      assertThat(gpu.bytesInUse()).isZero();
      assertThat(bytes(buffer.gpuData())).containsOnly(0);
    }
  }

  private static void inThread(String name, Runnable action) throws Exception {
    FutureTask<Void> task = new FutureTask<>(action, null);
    Thread.ofPlatform().name(name).start(task);
    task.get();
  }

  @Test
  void setGpuData_addressThatTheDeviceDoesNotHave_isRejected() {
    long mine = device.allocate(256).orElseThrow();
    for (long address : new long[] {0, 256, mine - 1, mine + 247, mine + 256, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> buffer.setGpuData(address))
          .withMessage(
              "buffer 'x' cannot adopt memory that no region of device 'gpu' has: address=0x%x, bytes=10; take it from the device, or an allocator over it",
              address);
    }
    assertThat(buffer.head()).isEqualTo(SyncedHead.UNINITIALIZED);
    buffer.setGpuData(mine + 246);
    assertThat(buffer.gpuData().address()).isEqualTo(mine + 246);
    buffer.close();
    device.free(mine, 256);
  }

  @Test
  void setCpuData_ownMemoryCannotBeGivenBack_isToldAndTheOtherIsAdopted() {
    Device failing = withStagingThatFailsToEnd(device);
    DeviceMemory memory = new DeviceMemory(failing, gpu.allocator());
    try (Arena arena = Arena.ofShared();
        SyncedMemory adopting = SyncedMemory.of("y", 10, memory)) {
      adopting.cpuData();
      MemorySegment mine = arena.allocate(10).fill((byte) 3);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> adopting.setCpuData(mine))
          .withMessage("the return of host memory of buffer 'y' failed: UNPINNING (2)");
      assertThat(adopting.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      assertThat(adopting.cpuData().address()).isEqualTo(mine.address());
      assertThat(bytes(adopting.cpuData())).containsOnly(3);
    }
  }

  private static Device withStagingThatFailsToEnd(Device device) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (_, method, arguments) -> {
              Object answer = method.invoke(device, arguments);
              return method.getName().equals("allocateStaging")
                  ? failingToEnd((MemorySegment) answer, (Arena) arguments[1])
                  : answer;
            });
  }

  @SuppressWarnings("restricted") // memory of the same arena
  private static MemorySegment failingToEnd(MemorySegment staging, Arena arena) {
    return staging.reinterpret(
        arena,
        _ -> {
          throw new DeviceException("the driver's call", 2, "UNPINNING");
        });
  }

  @Test
  void setGpuData_ownMemoryCannotBeGivenBack_isToldAndTheOtherIsAdopted() {
    SimulatedDevice failing = new SimulatedDevice("failing", 1 << 20);
    BfcOptions trimming = BfcOptions.expandable().withTrimThreshold(1);
    long mine = failing.allocate(256).orElseThrow();
    failing.fill(mine, 10, (byte) 3);
    try (BfcAllocator allocator = new BfcAllocator("trimming", failing, trimming);
        SyncedMemory adopting = SyncedMemory.of("y", 10, new DeviceMemory(failing, allocator))) {
      adopting.gpuData();
      failing.failAt(1);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> adopting.setGpuData(mine))
          .withMessage(
              "the return of memory of buffer 'y' to device 'failing' failed: SIMULATED_FAILURE (1)");
      assertThat(allocator.statistics().bytesInUse()).isZero();
      assertThat(adopting.head()).isEqualTo(SyncedHead.HEAD_AT_GPU);
      assertThat(adopting.gpuData().address()).isEqualTo(mine);
      assertThat(bytes(adopting.cpuData())).containsOnly(3);
      assertThat(failing.availableBytes()).isEqualTo((1 << 20) - 512);
      assertThat(allocator.trim().bytes()).isEqualTo(256);
    }
    failing.free(mine, 256);
    failing.close();
  }

  @Test
  void gpuData_driverFailsToAllocate_namesTheBufferAndChangesNothing() {
    SubAllocator broken =
        new SubAllocator() {
          @Override
          public OptionalLong allocate(long bytes) {
            throw new DeviceException("cuMemAlloc", 999, "CUDA_ERROR_UNKNOWN");
          }

          @Override
          public void free(long address, long bytes) {}
        };
    DeviceMemory memory =
        new DeviceMemory(device, new BfcAllocator("broken", broken, BfcOptions.growing()));
    try (SyncedMemory unlucky = SyncedMemory.of("y", 10, memory)) {
      unlucky.mutableCpuData().fill((byte) 3);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(unlucky::gpuData)
          .withMessage(
              "memory of 10 bytes for buffer 'y' on device 'gpu' failed: CUDA_ERROR_UNKNOWN (999)");
      assertThat(unlucky.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      assertThat(bytes(unlucky.cpuData())).containsOnly(3);
    }
  }

  @Test
  void setGpuData_afterOwnMemory_freesIt() {
    buffer.gpuData();
    long mine = gpu.allocator().allocate(10);
    assertThat(gpu.bytesInUse()).isEqualTo(512);
    DeviceData kept = buffer.gpuData();
    buffer.setGpuData(mine);
    assertThat(gpu.bytesInUse()).isEqualTo(256);
    assertThatIllegalStateException()
        .isThrownBy(kept::address)
        .withMessageContaining("other memory was adopted since");
    buffer.close();
    assertThat(gpu.allocator().allocation(mine)).isPresent();
    gpu.allocator().free(mine);
  }

  // A pool's memory.

  @Test
  void of_pool_takesHostMemoryThereAndGivesItBack() {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("host", host, BfcOptions.expandable())) {
      try (SyncedMemory pooled = SyncedMemory.of("pooled", 1000, pool, gpu.memory())) {
        assertThat(pool.statistics().bytesInUse()).isZero();
        pooled.mutableCpuData().fill((byte) 1);
        assertThat(pool.statistics().bytesInUse()).isEqualTo(1024);
        assertThat(bytes(pooled.gpuData())).containsOnly(1);
      }
      assertThat(pool.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void of_poolWithoutDevice_isOfTheHostAlone() {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("host", host, BfcOptions.expandable());
        SyncedMemory alone = SyncedMemory.of("alone", 1000, pool)) {
      assertThat(bytes(alone.cpuData())).containsOnly(0);
      assertThatIllegalStateException()
          .isThrownBy(alone::gpuData)
          .withMessage("buffer 'alone' has no device: name one when the buffer is made");
    }
  }

  @Test
  void of_poolThatIsClosedBefore_endsWhatWasHandedOut() {
    try (HostMemory host = HostMemory.open()) {
      MemoryPool pool = MemoryPool.open("host", host, BfcOptions.expandable());
      SyncedMemory pooled = SyncedMemory.of("pooled", 1000, pool, gpu.memory());
      MemorySegment kept = pooled.mutableCpuData();
      pool.close();
      assertThatIllegalStateException().isThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0));
      assertThatIllegalStateException()
          .isThrownBy(pooled::cpuData)
          .withMessageStartingWith("host memory of buffer 'pooled' has ended: the pool");
      pooled.close();
    }
  }

  // Pushes.

  @Test
  void asyncGpuPush_streamNotYetRun_isWaitedForBeforeItsUse() {
    try (DeviceStream stream = device.openStream()) {
      buffer.mutableCpuData().fill((byte) 6);
      MemorySegment reading = buffer.cpuData();
      buffer.asyncGpuPush(stream);
      assertThat(buffer.head()).isEqualTo(SyncedHead.SYNCED);
      assertThat(bytes(buffer.cpuData())).isEqualTo(bytes(reading)).containsOnly(6);
      assertThat(device.fromHost().count()).isZero();
      assertThat(bytes(buffer.gpuData())).containsOnly(6);
      assertThat(device.fromHost()).isEqualTo(new SimulatedDevice.Traffic(1, 10));
    }
  }

  @Test
  void asyncGpuPush_hostWrittenAfterwards_doesNotChangeWhatIsPushed() {
    try (DeviceStream stream = device.openStream()) {
      MemorySegment kept = buffer.mutableCpuData().fill((byte) 6);
      buffer.asyncGpuPush(stream);
      assertThatIllegalStateException().isThrownBy(() -> kept.fill((byte) 7));
      buffer.mutableCpuData(0, 5).fill((byte) 7);
      assertThat(device.fromHost().count()).isOne();
      assertThat(bytes(buffer.gpuData())).containsExactly(7, 7, 7, 7, 7, 6, 6, 6, 6, 6);
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
                "buffer 'x' cannot be pushed to device 'gpu': head=%s, and there is something to push only where the host has what the device has not",
                buffer.head());
      }
    }
  }

  @Test
  void asyncGpuPush_toSeveralDevices_copiesToEach() {
    try (SimulatedGpu second = SimulatedGpu.open("second", 1 << 20);
        DeviceStream first = device.openStream();
        DeviceStream other = second.device().openStream();
        SyncedMemory shared = SyncedMemory.of("shared", 10, gpu.memory(), second.memory())) {
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
  void asyncGpuPush_copyFailsLater_isToldAndContentsAreKept() {
    DeviceStream stream = device.openStream();
    buffer.mutableCpuData().fill((byte) 6);
    buffer.asyncGpuPush(stream);
    device.failAt(1);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(buffer::gpuData)
        .withMessage("the push of buffer 'x' to device 'gpu' failed: SIMULATED_FAILURE (1)");
    assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
    assertThat(bytes(buffer.gpuData())).containsOnly(6);
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

  // Failures.

  @ParameterizedTest
  @ValueSource(longs = {1L << 60, Long.MAX_VALUE})
  void cpuDataAndGpuData_impossibleSize_areToldAndChangeNothing(long size) {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("pool", host, BfcOptions.expandable());
        SyncedMemory huge = SyncedMemory.of("huge", size, gpu.memory());
        SyncedMemory pooled = SyncedMemory.of("pooled", size, pool)) {
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(huge::cpuData)
          .withMessageStartingWith(
              "buffer 'huge' has no host memory: bytes=%1$d; close other buffers, or take it from a MemoryPool, which tells who holds it: device 'gpu' refused %1$d bytes",
              size);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(huge::gpuData)
          .withMessageStartingWith(
              "allocator 'gpu' is out of memory for 'huge': requested=%d,", size);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(pooled::cpuData)
          .withMessageStartingWith(
              "allocator 'pool' is out of memory for 'pooled': requested=%d,", size);
      assertThat(huge.head()).isEqualTo(SyncedHead.UNINITIALIZED);
      assertThat(pooled.head()).isEqualTo(SyncedHead.UNINITIALIZED);
    }
  }

  @Test
  void gpuData_noDeviceMemory_leavesEverythingAsItWas() {
    try (SimulatedGpu small = SimulatedGpu.open("small", 1 << 20);
        SyncedMemory large = SyncedMemory.of("large", 2 << 20, small.memory())) {
      large.mutableCpuData().fill((byte) 1);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(large::gpuData)
          .withMessageStartingWith(
              "allocator 'small' is out of memory for 'large': requested=2097152,");
      assertThat(large.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      assertThat(bytes(large.cpuData())).containsOnly(1);
    }
  }

  @Test
  void gpuData_copyFails_isNamedAndGivesItsMemoryBack() {
    MemorySegment reading = buffer.cpuData();
    device.failAt(2);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(buffer::mutableGpuData)
        .withMessage(
            "the copy of bytes [0, 10) of buffer 'x' to device 'gpu' failed: SIMULATED_FAILURE (1)")
        .withCauseInstanceOf(DeviceException.class);
    assertThat(buffer.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
    assertThat(gpu.bytesInUse()).isZero();
    assertThat(reading.scope().isAlive()).isFalse();
    assertThat(bytes(buffer.gpuData())).containsOnly(0);
  }

  @Test
  void gpuData_zeroingFails_staysUninitialized() {
    device.failAt(2);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(buffer::gpuData)
        .withMessage("the zeroing of buffer 'x' failed: SIMULATED_FAILURE (1)");
    assertThat(buffer.head()).isEqualTo(SyncedHead.UNINITIALIZED);
    assertThat(gpu.bytesInUse()).isZero();
  }

  @Test
  void allocation_onTheDevice_bearsTheBuffersName() {
    buffer.gpuData();
    assertThat(gpu.allocator().allocations()).extracting(Allocation::tag).containsExactly("x");
  }

  @Test
  void gpuData_deviceWhoseKernelsNeedMore_liesWhereTheyCanTakeIt() {
    SimulatedDevice wide = new SimulatedDevice("wide", 1 << 20, 1024);
    try (BfcAllocator allocator = new BfcAllocator("wide", wide, BfcOptions.growing())) {
      DeviceMemory memory = new DeviceMemory(wide, allocator);
      long before = allocator.allocate(1);
      try (SyncedMemory first = SyncedMemory.of("first", 1, memory);
          SyncedMemory second = SyncedMemory.of("second", 1, memory)) {
        assertThat(first.gpuData().address()).isEqualTo(before + 1024);
        assertThat(second.gpuData().address()).isEqualTo(before + 2048);
      }
      allocator.free(before);
    }
  }

  /** A kernel needs no whole page. */
  @Test
  void gpuData_deviceOfPages_liesCloser() {
    try (HostMemory host = HostMemory.open();
        BfcAllocator allocator = new BfcAllocator("host", host, BfcOptions.growing())) {
      DeviceMemory memory = new DeviceMemory(host, allocator);
      assertThat(host.alignmentBytes()).isGreaterThan(256);
      try (SyncedMemory first = SyncedMemory.of("first", 1, memory);
          SyncedMemory second = SyncedMemory.of("second", 1, memory)) {
        long address = first.gpuData().address();
        assertThat(second.gpuData().address()).isEqualTo(address + 256);
      }
    }
  }

  // The end.

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
            "data of buffer 'x' on device 'gpu' has ended: the buffer is closed; ask again each time instead of keeping it");
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

  // Forgotten ones.

  @Test
  void buffer_forgotten_isHeldByNothingAndKeepsItsMemory() {
    WeakReference<SyncedMemory> lost =
        new WeakReference<>(SyncedMemory.of("lost", 8, gpu.memory()));
    MemorySegment segment = Objects.requireNonNull(lost.get()).mutableCpuData();
    while (lost.get() != null) {
      System.gc();
    }
    segment.fill((byte) 1);
  }

  @Test
  void forgotten_notClosed_isToldWithTheStackOfItsMaker() {
    List<String> told = new ArrayList<>();
    CallerStack stack = Caller.make(CallerStack::new);
    AtomicBoolean open = new AtomicBoolean(true);
    Forgotten forgotten = SyncedMemory.forgotten("x", 8, open, Optional.of(stack), told::add);
    forgotten.run();
    open.set(false);
    forgotten.run();
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().lines().limit(2))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .isEqualTo(
                        "buffer 'x' of 8 bytes was forgotten, its memory is not given back: close() it"),
            second -> assertThat(second).contains("dev.stowage.user.Caller.make("));
  }
}
