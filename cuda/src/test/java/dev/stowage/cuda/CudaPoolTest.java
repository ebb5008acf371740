package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.pool.DevicePool;
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
    }
  }
}
