package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.testkit.SimulatedDevice;

/** A simulated device with an allocator; closing it checks for leaks. */
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

  /** {@return the copies from and to the host} */
  Copies copies() {
    return new Copies(device.fromHost().count(), device.toHost().count());
  }

  long bytesInUse() {
    return allocator.statistics().bytesInUse();
  }

  /** The numbers of copies. */
  record Copies(long toDevice, long toHost) {}

  @Override
  public void close() {
    assertThat(bytesInUse()).isZero();
    allocator.close();
    assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
    device.close();
  }
}
