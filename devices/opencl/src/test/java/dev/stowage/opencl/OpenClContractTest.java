package dev.stowage.opencl;

import dev.stowage.memory.device.Device;
import dev.stowage.testkit.DeviceContract;

/** A device of OpenCL fulfils the contract. */
@NeedsOpenCl
class OpenClContractTest extends DeviceContract {

  @Override
  protected Device open() {
    return OpenClDevice.openFirst().orElseThrow();
  }
}
