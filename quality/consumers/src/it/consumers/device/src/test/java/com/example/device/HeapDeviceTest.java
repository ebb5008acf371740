package com.example.device;

import dev.stowage.memory.device.Device;
import dev.stowage.testkit.DeviceContract;

class HeapDeviceTest extends DeviceContract {

  @Override
  protected Device open() {
    return new HeapDevice(1 << 28);
  }
}
