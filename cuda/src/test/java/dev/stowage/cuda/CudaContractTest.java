package dev.stowage.cuda;

import dev.stowage.memory.device.Device;
import dev.stowage.testkit.DeviceContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** A CUDA device fulfils the contract, over the stand-in for the driver. */
@ExtendWith(StandIn.class)
class CudaContractTest {

  @Nested
  class Fixed extends DeviceContract {
    @Override
    protected Device open() {
      return CudaDevice.open(StandIn.library(), 0, CudaOptions.fixed());
    }
  }

  @Nested
  class Unified extends DeviceContract {
    @Override
    protected Device open() {
      return CudaDevice.open(StandIn.library(), 1, CudaOptions.unified());
    }
  }

  @Nested
  class Expandable extends DeviceContract {
    @Override
    protected Device open() {
      return CudaDevice.open(StandIn.library(), 1, CudaOptions.expandable());
    }
  }

  @Nested
  class ExpandableByLargeGranules extends DeviceContract {
    @Override
    protected Device open() {
      long granuleBytes = 4 * StandIn.GRANULE_BYTES;
      return CudaDevice.open(
          StandIn.library(), 0, CudaOptions.expandable(1 << 20).withGranuleBytes(granuleBytes));
    }
  }
}
