package dev.stowage.cli.replay;

import java.util.OptionalLong;

/** The choice of the allocator of a replay. */
@FunctionalInterface
public interface AllocatorChoice {

  /**
   * {@return the allocator for a trace}
   *
   * @param format the name of the format of the trace, such as {@code pytorch}
   * @param loggedLimit the limit of a log, if it has one and the allocator needs it
   */
  ReplayedAllocator of(String format, OptionalLong loggedLimit);

  /** {@return true if the allocator has no limit of its own and takes the limit of a log} */
  default boolean needsLimit() {
    return false;
  }
}
