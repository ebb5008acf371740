package dev.stowage.testkit;

import dev.stowage.memory.device.Device;
import org.junit.jupiter.api.Nested;

/**
 * What a device must do, in tests: whoever has a device extends this class and says how to open it.
 *
 * <p>Every test opens a device, and gives everything back. Regions have a few megabytes at most.
 */
@SuppressWarnings("ClassCanBeStatic") // JUnit's nested classes, and all open the same device
public abstract class DeviceContract {

  /** A device to test. */
  protected DeviceContract() {}

  /** {@return the device, with no region held; the test closes it} */
  protected abstract Device open();

  /** Memory that comes and goes. */
  @Nested
  class Regions extends RegionTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** What is done at once. */
  @Nested
  class Copies extends CopyTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** What is queued. */
  @Nested
  class Streams extends StreamTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** What is freed while it is used. */
  @Nested
  class Pools extends PoolTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** Buffers that have a copy there. */
  @Nested
  class Synced extends SyncedTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }

  /** Everything, in any order. */
  @Nested
  class Randomly extends RandomTests {
    @Override
    Device open() {
      return DeviceContract.this.open();
    }
  }
}
