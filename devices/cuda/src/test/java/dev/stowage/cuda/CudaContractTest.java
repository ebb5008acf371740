package dev.stowage.cuda;

import dev.stowage.cuda.standin.StandIn;
import dev.stowage.memory.device.Device;
import dev.stowage.testkit.DeviceContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A CUDA device fulfils the contract, over the stand-in for the driver. */
class CudaContractTest {

  @RegisterExtension final StandIn standIn = new StandIn();

  @Nested
  class Fixed extends DeviceContract {
    @Override
    protected Device open() {
      return CudaDevice.open(standIn::functions, 0, CudaOptions.fixed());
    }
  }

  @Nested
  class Unified extends DeviceContract {
    @Override
    protected Device open() {
      return CudaDevice.open(standIn::functions, 1, CudaOptions.unified());
    }
  }

  @Nested
  class Expandable extends DeviceContract {
    @Override
    protected Device open() {
      return CudaDevice.open(standIn::functions, 1, CudaOptions.expandable());
    }
  }

  @Nested
  class ExpandableTo1MiB extends DeviceContract {
    @Override
    protected Device open() {
      return CudaDevice.open(standIn::functions, 0, CudaOptions.expandable(1 << 20));
    }
  }
}
