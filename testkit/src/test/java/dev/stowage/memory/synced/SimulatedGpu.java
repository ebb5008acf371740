package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.testkit.SimulatedDevice;

/** A simulated device with an allocator over it; whose closing finds leaks. */
record SimulatedGpu(SimulatedDevice device, BfcAllocator allocator) implements AutoCloseable {

  static SimulatedGpu open() {
    return open("gpu", 1L << 30);
  }

  static SimulatedGpu open(String name, long bytes) {
    SimulatedDevice device = new SimulatedDevice(name, bytes);
    return new SimulatedGpu(device, new BfcAllocator(name, device, BfcOptions.growing()));
  }

  DeviceMemory memory() {
    return new DeviceMemory(device, allocator);
  }

  /** {@return how many copies went from the host, and to it} */
  Copies copies() {
    return new Copies(device.fromHost().count(), device.toHost().count());
  }

  long bytesInUse() {
    return allocator.statistics().bytesInUse();
  }

  /** How many copies went from the host to the device, and back. */
  record Copies(long toDevice, long toHost) {}

  @Override
  public void close() {
    assertThat(bytesInUse()).isZero();
    allocator.close();
    assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
    device.close();
  }
}
