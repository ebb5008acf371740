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

  /** {@return true if the allocator has no limit, so that the limit of a log is to hold} */
  default boolean needsLimit() {
    return false;
  }

  /**
   * {@return this choice with a limit, which a log has}
   *
   * @param bytes the most bytes of all regions
   */
  default AllocatorChoice withLimit(long bytes) {
    return this;
  }
}
