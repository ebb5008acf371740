package dev.stowage.memory.device;

import java.util.List;
import java.util.Random;

/** All kinds of host memory. */
public enum HostMemories {
  FIXED,
  EXPANDABLE,
  HUGE_PAGES,
  /** Regions from malloc, as on other systems. */
  MALLOCED;

  /** {@return memory of this kind; from malloc if the system has no mapped regions} */
  public HostMemory open() {
    return switch (this) {
      case FIXED -> HostMemory.open(HostMemoryOptions.fixed());
      case EXPANDABLE -> HostMemory.open();
      case HUGE_PAGES -> HostMemory.open(HostMemoryOptions.expandable(1L << 30).withHugePages());
      case MALLOCED -> new HostMemory(new MallocedRegions());
    };
  }

  /** {@return one of them} */
  public static HostMemories any(Random random) {
    return List.of(values()).get(random.nextInt(values().length));
  }
}
