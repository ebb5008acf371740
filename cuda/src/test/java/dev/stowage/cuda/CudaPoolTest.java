package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pools of a device whose driver fails: over the stand-in. */
@ExtendWith(StandIn.class)
class CudaPoolTest {

  private static final long BYTES = 4096;

  private static CudaDevice open() {
    return CudaDevice.open(StandIn.library(), 0, CudaOptions.fixed());
  }

  @Test
  void allocate_noRoomBeforeWorkThatFails_succeedsAndTheStreamThrows() {
    try (CudaDevice device = open();
        DeviceStream first = device.openStream();
        DeviceStream second = device.openStream();
        DevicePool pool = DevicePool.open("pool", device, BfcOptions.oneRegion(BYTES))) {
      long address = pool.allocate(BYTES, first);
      first.fill(address, BYTES, (byte) 1);
      pool.free(address, first);
      StandIn.fail("work", 1, StandIn.UNKNOWN);
      assertThat(pool.allocate(BYTES, second)).isEqualTo(address);
      assertThatExceptionOfType(DeviceException.class).isThrownBy(first::synchronize);
      pool.free(address);
    }
  }

  @Test
  void openStaging_manyAllocations_oneCallOfTheDriver() {
    try (CudaDevice device = open();
        MemoryPool pool = MemoryPool.openStaging("pinned", device, BfcOptions.growing());
        Arena arena = pool.openArena()) {
      for (int i = 0; i < 50; i++) {
        arena.allocate(BYTES);
      }
      assertThat(StandIn.alive(StandIn.Kind.PINNED)).isEqualTo(1);
      assertThat(pool.statistics().reservedBytes()).isEqualTo(1 << 20);
    }
    assertThat(StandIn.alive(StandIn.Kind.PINNED)).isZero();
  }

  @Test
  void openStaging_driverHasNoMemory_isOutOfMemory() {
    try (CudaDevice device = open();
        MemoryPool pool = MemoryPool.openStaging("pinned", device, BfcOptions.growing())) {
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocate(1L << 41))
          .withMessageContaining("The device refused 2199023255552 bytes");
    }
  }

  @Test
  void openStaging_driverFails_throwsItsFailure() {
    try (CudaDevice device = open();
        MemoryPool pool = MemoryPool.openStaging("pinned", device, BfcOptions.growing())) {
      StandIn.fail("cuMemHostAlloc", 1, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> pool.allocate(BYTES))
          .withMessageContaining("cuMemHostAlloc");
      pool.allocate(BYTES).close();
    }
  }

  @Test
  void unified_moreThanTheMemory_isAvailable() {
    try (CudaDevice device = CudaDevice.open(StandIn.library(), 0, CudaOptions.unified());
        BfcAllocator allocator =
            new BfcAllocator("gpu", device, BfcOptions.forDevice(device, 1.5, true))) {
      assertThat(allocator.options().limitBytes()).isEqualTo(StandIn.TOTAL_BYTES / 2 * 3);
      allocator.free(allocator.allocate(StandIn.TOTAL_BYTES + 256));
    }
  }

  // @throws DeviceException if the device has no unified memory
  @Test
  void unified_notSupported_isRejected() {
    StandIn.takeVirtualMemory();
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> CudaDevice.open(StandIn.library(), 0, CudaOptions.unified()))
        .withMessage(
            "unified regions on device 'cuda:0 Stand-in A', which has no memory that the host and"
                + " kernels access at the same time, failed: CUDA_ERROR_NOT_SUPPORTED (801)");
  }

  // @throws DeviceException if the driver fails; nothing changes then
  @Test
  void free_driverFails_throwsAndNothingChanges() {
    try (CudaDevice device = open();
        DeviceStream stream = device.openStream();
        DevicePool pool = DevicePool.open("pool", device, BfcOptions.oneRegion(BYTES))) {
      long address = pool.allocate(BYTES, stream);
      StandIn.fail("cuEventRecord", 1, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> pool.free(address, stream))
          .withMessageStartingWith("cuEventRecord on device 'cuda:0 Stand-in A' failed");
      assertThat(pool.queuedBytes()).isZero();
      assertThat(pool.statistics().bytesInUse()).isEqualTo(BYTES);
      pool.free(address, stream);
      stream.synchronize(); // close() does not wait
    }
  }
}
