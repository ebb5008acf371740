package dev.stowage.opencl;

import dev.stowage.memory.device.Device;
import dev.stowage.testkit.DeviceContract;

/** A device of OpenCL does what a device must do. */
@NeedsOpenCl
class OpenClContractTest extends DeviceContract {

  @Override
  protected Device open() {
    return OpenClDevice.openFirst().orElseThrow();
  }
}
