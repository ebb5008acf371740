package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.testkit.SimulatedDevice;

/** A simulated device with a pool; closing it checks for leaks. */
record SimulatedGpu(SimulatedDevice device, DevicePool pool) implements AutoCloseable {

  static SimulatedGpu open() {
    return open("gpu", 1L << 30);
  }

  static SimulatedGpu open(String name, long bytes) {
    SimulatedDevice device = new SimulatedDevice(name, bytes);
    return new SimulatedGpu(device, DevicePool.open(name, device, BfcOptions.growing()));
  }

  /** {@return the copies from and to the host} */
  Copies copies() {
    return new Copies(device.fromHost().count(), device.toHost().count());
  }

  long bytesInUse() {
    return pool.statistics().bytesInUse();
  }

  /** The numbers of copies. */
  record Copies(long toDevice, long toHost) {}

  @Override
  public void close() {
    assertThat(bytesInUse()).isZero();
    pool.close();
    assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
    device.close();
  }
}
