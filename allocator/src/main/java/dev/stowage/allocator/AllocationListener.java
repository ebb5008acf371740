package dev.stowage.allocator;

/**
 * A listener for the operations of an allocator, in the order in which they happen.
 *
 * <p>The allocator calls it while it holds its lock, so a listener must be quick. If it calls an
 * operation of the allocator, that operation throws an {@link IllegalStateException}. If the
 * listener throws, the caller of the operation gets the exception: a request fails and takes no
 * memory, a free has its effect.
 */
public interface AllocationListener {

  /**
   * Called after a request was granted.
   *
   * @param allocation the allocation
   */
  void allocated(Allocation allocation);

  /**
   * Called for a free.
   *
   * @param id the number of the allocation
   */
  void freed(long id);

  /**
   * Called after a request failed.
   *
   * @param bytes the requested bytes
   */
  void failed(long bytes);

  /**
   * Called before an event if its address does not follow from the options and the other events. A
   * replay of the events is then an estimate. A cause may be reported more than once.
   *
   * @param cause the cause as a sentence without commas
   */
  default void unrepeatable(String cause) {}

  /** {@return a listener that does nothing} */
  static AllocationListener none() {
    return new AllocationListener() {
      @Override
      public void allocated(Allocation allocation) {}

      @Override
      public void freed(long id) {}

      @Override
      public void failed(long bytes) {}
    };
  }
}
