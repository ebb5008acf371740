package dev.stowage.cuda;

import dev.stowage.memory.device.Device;
import dev.stowage.testkit.DeviceContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** A CUDA device fulfils the contract, on machines with a GPU. */
@ExtendWith(NeedsGpu.class)
class CudaGpuTest {

  @Nested
  class Fixed extends DeviceContract {
    @Override
    protected Device open() {
      return CudaDevice.open(0);
    }
  }

  @Nested
  class Unified extends DeviceContract {
    @Override
    protected Device open() {
      return CudaDevice.open(0, CudaOptions.unified());
    }
  }

  @Nested
  class Expandable extends DeviceContract {
    @Override
    protected Device open() {
      return CudaDevice.open(0, CudaOptions.expandable());
    }
  }
}
