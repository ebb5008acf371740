package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.cuda.standin.Kind;
import dev.stowage.cuda.standin.StandIn;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pools of a device whose driver fails: over the stand-in. */
class CudaPoolTest {

  private static final long BYTES = 4096;

  @RegisterExtension final StandIn standIn = new StandIn();

  private CudaDevice open() {
    return CudaDevice.open(standIn::functions, 0, CudaOptions.fixed());
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
      standIn.fail("work", 1, StandIn.UNKNOWN);
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
      assertThat(standIn.alive(Kind.PINNED)).isEqualTo(1);
      assertThat(pool.statistics().reservedBytes()).isEqualTo(1 << 20);
    }
    assertThat(standIn.alive(Kind.PINNED)).isZero();
  }

  @Test
  void openStaging_driverHasNoMemory_isOutOfMemory() {
    try (CudaDevice device = open();
        MemoryPool pool = MemoryPool.openStaging("pinned", device, BfcOptions.growing())) {
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocate(1L << 41))
          .withMessageContaining("The device refused 2 TiB (2,199,023,255,552 bytes), which");
    }
  }

  @Test
  void openStaging_driverFails_throwsItsFailure() {
    try (CudaDevice device = open();
        MemoryPool pool = MemoryPool.openStaging("pinned", device, BfcOptions.growing())) {
      standIn.fail("cuMemHostAlloc", 1, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> pool.allocate(BYTES))
          .withMessageContaining("cuMemHostAlloc");
      pool.allocate(BYTES).close();
    }
  }

  @Test
  void unified_moreThanTheMemory_isAvailable() {
    long totalBytes = 64L << 20;
    standIn.reset(1, totalBytes);
    try (CudaDevice device = CudaDevice.open(standIn::functions, 0, CudaOptions.unified());
        BfcAllocator allocator =
            new BfcAllocator("gpu", device, BfcOptions.forDevice(device, 1.5, true))) {
      assertThat(allocator.options().limitBytes()).isEqualTo(totalBytes / 2 * 3);
      allocator.free(allocator.allocate(totalBytes + 256));
    }
  }

  // @throws DeviceException if the device has no unified memory
  @Test
  void unified_notSupported_isRejected() {
    standIn.takeVirtualMemory();
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> CudaDevice.open(standIn::functions, 0, CudaOptions.unified()))
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
      standIn.fail("cuEventRecord", 1, StandIn.UNKNOWN);
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
