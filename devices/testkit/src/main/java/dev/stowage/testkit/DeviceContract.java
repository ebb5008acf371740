package dev.stowage.testkit;

import dev.stowage.memory.device.Device;
import org.junit.jupiter.api.Nested;

/**
 * The contract of devices, as tests. A test class for a device extends this class.
 *
 * <p>Each test opens a device, frees everything and closes the device. Regions have at most a few
 * megabytes. The name of a random test is the option that repeats it, such as {@code
 * -Dtests.seed=7}; {@code -Dtests.scale=10} runs ten times as many.
 */
@SuppressWarnings("ClassCanBeStatic") // JUnit's nested classes, and all open the same device
public abstract class DeviceContract {

  /** Creates tests of a device. */
  protected DeviceContract() {}

  /** {@return a new device without regions, which the test closes} */
  protected abstract Device open();

  /** Tests of regions. */
  @Nested
  class Regions extends RegionTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** Tests of copies and fills that complete at once. */
  @Nested
  class Copies extends CopyTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** Tests of streams and events. */
  @Nested
  class Streams extends StreamTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** Tests of pools of the device. */
  @Nested
  class Pools extends PoolTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** Tests of pools of host memory. */
  @Nested
  class HostPools extends HostPoolTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** Tests of buffers with a copy on the device. */
  @Nested
  class Synced extends SyncedTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** Random operations in any order. */
  @Nested
  class RandomOperations extends RandomTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }
}
