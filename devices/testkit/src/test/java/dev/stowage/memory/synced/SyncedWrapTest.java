package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory of the caller as one side of a buffer. */
class SyncedWrapTest {

  private final SimulatedGpu gpu = SimulatedGpu.open();
  private final SimulatedDevice device = gpu.device();
  private final SyncedMemory buffer = SyncedMemory.of("x", 10, gpu.pool());

  @AfterEach
  void close_afterAnyTest_freesEverything() {
    buffer.close();
    gpu.close();
  }

  @Test
  void setCpuData_wrapped_isUsedAndNeverFreed() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mine = arena.allocate(10).fill((byte) 4);
      MemorySegment kept = buffer.cpuData();
      buffer.setCpuData(mine);
      assertThatIllegalStateException().isThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0));
      assertThat(buffer.cpuData().address()).isEqualTo(mine.address());
      assertThat(buffer.cpuData().isReadOnly()).isTrue();
      buffer.mutableGpuData().fill((byte) 5);
      buffer.cpuData();
      assertThat(Bytes.of(mine)).containsOnly(5);
      buffer.close();
      assertThat(Bytes.of(mine)).containsOnly(5);
    }
  }

  @Test
  void setCpuData_unfitMemory_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.setCpuData(MemorySegment.ofArray(new byte[10])))
        .withMessageStartingWith(
            "buffer 'x' cannot wrap memory of the Java heap, because devices cannot copy from it: ");
    Arena arena = Arena.ofConfined();
    MemorySegment mine = arena.allocate(10);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.setCpuData(mine.asSlice(1)))
        .withMessage("buffer 'x' has 10 bytes and cannot wrap memory of another size: byteSize=9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.setCpuData(mine.asReadOnly()))
        .withMessage(
            "buffer 'x' cannot wrap read-only memory, because copies from devices write to it; copy it into mutableCpuData() instead");
    arena.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> buffer.setCpuData(mine))
        .withMessageStartingWith("buffer 'x' cannot wrap memory that has ended: ");
    assertThat(buffer.head()).isEqualTo(SyncedHead.UNINITIALIZED);
  }

  /** The memory would be freed. */
  @Test
  void setCpuDataAndSetGpuData_ownMemory_isRejectedAndNothingIsLost() {
    MemorySegment own = buffer.mutableCpuData().fill((byte) 7);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.setCpuData(own))
        .withMessageStartingWith(
            "buffer 'x' cannot wrap its own host memory, which would then be freed: data=");
    long address = buffer.gpuData().address();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.setGpuData(address))
        .withMessage(
            "buffer 'x' cannot wrap its own memory on device 'gpu', which would then be freed: address=0x%x",
            address);
    assertThatIllegalArgumentException().isThrownBy(() -> buffer.setGpuData(address + 9));
    buffer.mutableGpuData();
    assertThat(Bytes.of(buffer.cpuData())).containsOnly(7);
  }

  @Test
  void setCpuData_callerEndsItsMemory_throwsAndChangesNothing() {
    Arena arena = Arena.ofConfined();
    buffer.setCpuData(arena.allocate(10));
    arena.close();
    String message =
        "host memory of buffer 'x' has ended: its pool, or the arena of the memory that setCpuData wrapped, was closed; close the buffer first, or wrap other memory";
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
                    "buffer 'x' cannot wrap memory of a confined arena that thread 'worker' cannot access; allocate it from Arena.ofShared(): data=%s",
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
                      "host memory of buffer 'x' belongs to a confined arena that thread 'worker' cannot access; wrap memory of Arena.ofShared() for many threads");
            }
          });
      assertThat(gpu.bytesInUse()).isZero();
      assertThat(Bytes.of(buffer.gpuData())).containsOnly(0);
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
              "buffer 'x' cannot wrap memory that is in no region of device 'gpu': address=0x%x, bytes=10; allocate it from the device, or from an allocator over it",
              address);
    }
    assertThat(buffer.head()).isEqualTo(SyncedHead.UNINITIALIZED);
    buffer.setGpuData(mine + 246);
    assertThat(buffer.gpuData().address()).isEqualTo(mine + 246);
    buffer.close();
    device.free(mine, 256);
  }

  @Test
  void setCpuData_ownMemoryCannotBeReturned_wrapsAndThrows() {
    Device failing = withStagingThatFailsToEnd(device);
    try (Arena arena = Arena.ofShared();
        DevicePool memory = DevicePool.open("failing", failing, BfcOptions.growing());
        SyncedMemory wrapping = SyncedMemory.of("y", 10, memory)) {
      wrapping.cpuData();
      MemorySegment mine = arena.allocate(10).fill((byte) 3);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> wrapping.setCpuData(mine))
          .withMessage("returning host memory of buffer 'y' failed: UNPINNING (2)");
      assertThat(wrapping.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      assertThat(wrapping.cpuData().address()).isEqualTo(mine.address());
      assertThat(Bytes.of(wrapping.cpuData())).containsOnly(3);
    }
  }

  private static Device withStagingThatFailsToEnd(Device device) {
    return instead(
        "allocateStaging",
        arguments ->
            failingToEnd(
                device.allocateStaging((long) arguments[0], (Arena) arguments[1]),
                (Arena) arguments[1]),
        device);
  }

  /** {@return a device with another method} */
  private static Device instead(String name, Function<Object[], Object> method, Device device) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (_, called, arguments) ->
                called.getName().equals(name)
                    ? method.apply(arguments)
                    : called.invoke(device, arguments));
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
  void setGpuData_ownMemoryCannotBeReturned_wrapsAndThrows() {
    SimulatedDevice failing = new SimulatedDevice("failing", 1 << 20);
    BfcOptions trimming = BfcOptions.expandable().withTrimThreshold(1);
    long mine = failing.allocate(256).orElseThrow();
    failing.fill(mine, 10, (byte) 3);
    try (DevicePool allocator = DevicePool.open("trimming", failing, trimming);
        SyncedMemory wrapping = SyncedMemory.of("y", 10, allocator)) {
      wrapping.gpuData();
      failing.failAt(1);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> wrapping.setGpuData(mine))
          .withMessage(
              "returning memory of buffer 'y' to device 'failing' failed: SIMULATED_FAILURE (1)");
      assertThat(allocator.statistics().bytesInUse()).isZero();
      assertThat(wrapping.head()).isEqualTo(SyncedHead.HEAD_AT_GPU);
      assertThat(wrapping.gpuData().address()).isEqualTo(mine);
      assertThat(Bytes.of(wrapping.cpuData())).containsOnly(3);
      assertThat(failing.availableBytes()).isEqualTo((1 << 20) - 512);
      assertThat(allocator.trim().bytes()).isEqualTo(256);
    }
    failing.free(mine, 256);
    failing.close();
  }

  @Test
  void gpuData_driverFailsToAllocate_namesTheBufferAndChangesNothing() {
    Device broken =
        instead(
            "allocate",
            _ -> {
              throw new DeviceException("cuMemAlloc", 999, "CUDA_ERROR_UNKNOWN");
            },
            device);
    try (DevicePool memory = DevicePool.open("broken", broken, BfcOptions.growing());
        SyncedMemory unlucky = SyncedMemory.of("y", 10, memory)) {
      unlucky.mutableCpuData().fill((byte) 3);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> unlucky.gpuData(device))
          .withMessage(
              "allocating 10 bytes for buffer 'y' on device 'gpu' failed: CUDA_ERROR_UNKNOWN (999)");
      assertThat(unlucky.head()).isEqualTo(SyncedHead.HEAD_AT_CPU);
      assertThat(Bytes.of(unlucky.cpuData())).containsOnly(3);
    }
  }

  @Test
  void setGpuData_afterOwnMemory_freesIt() {
    buffer.gpuData();
    long mine = gpu.pool().allocate(10);
    assertThat(gpu.bytesInUse()).isEqualTo(512);
    DeviceData kept = buffer.gpuData();
    buffer.setGpuData(mine);
    assertThat(gpu.bytesInUse()).isEqualTo(256);
    assertThatIllegalStateException()
        .isThrownBy(kept::address)
        .withMessageContaining("the buffer wrapped other memory");
    buffer.close();
    assertThat(gpu.pool().allocations()).extracting(Allocation::address).contains(mine);
    gpu.pool().free(mine);
  }
}
