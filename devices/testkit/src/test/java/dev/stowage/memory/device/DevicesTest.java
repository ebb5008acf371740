package dev.stowage.memory.device;

import dev.stowage.testkit.DeviceContract;
import dev.stowage.testkit.SimulatedDevice;
import org.junit.jupiter.api.Nested;

/** The devices of memory fulfil the contract. */
class DevicesTest {

  @Nested
  class FixedHostMemory extends DeviceContract {
    @Override
    protected Device open() {
      return HostMemory.open(HostMemoryOptions.fixed());
    }
  }

  @Nested
  class ExpandableHostMemory extends DeviceContract {
    @Override
    protected Device open() {
      return HostMemory.open();
    }
  }

  @Nested
  class HostMemoryOfHugePages extends DeviceContract {
    @Override
    protected Device open() {
      return HostMemory.open(HostMemoryOptions.expandable(1L << 30).withHugePages());
    }
  }

  /** Regions from malloc, as on other systems. */
  @Nested
  class MallocedHostMemory extends DeviceContract {
    @Override
    protected Device open() {
      return new HostMemory(new MallocedRegions());
    }
  }

  @Nested
  class Simulated extends DeviceContract {
    @Override
    protected Device open() {
      return new SimulatedDevice("simulated", 1L << 30);
    }
  }
}
