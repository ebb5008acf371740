package dev.stowage.cli.replay;

/** The choice of the allocator of a replay. */
@FunctionalInterface
public interface AllocatorChoice {

  /**
   * {@return the allocator for a trace}
   *
   * @param format the name of the format of the trace, such as {@code pytorch}
   */
  ReplayedAllocator of(String format);
}
