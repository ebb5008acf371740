package dev.stowage.opencl;

import dev.stowage.contract.DeviceContract;
import dev.stowage.memory.device.Device;

/** A device of OpenCL does what a device must do. */
@NeedsOpenCl
class OpenClContractTest extends DeviceContract {

  @Override
  protected Device open() {
    return OpenClDevice.openFirst().orElseThrow();
  }
}
