package dev.stowage.memory.device;

import java.util.List;
import java.util.Random;

/** Host memory of every kind there is, for tests over all of them. */
public enum HostMemories {
  FIXED,
  EXPANDABLE,
  HUGE_PAGES,
  /** What other systems have. */
  MALLOCED;

  /** {@return memory of this kind; without mapped pages it is as if by malloc} */
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
