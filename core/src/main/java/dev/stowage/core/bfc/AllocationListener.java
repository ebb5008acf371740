package dev.stowage.core.bfc;

/**
 * A listener for the operations of an allocator, in the order in which they happen.
 *
 * <p>The allocator calls it with its lock. A listener must be quick. If it calls an operation of
 * the allocator, it gets an {@link IllegalStateException}. If it throws, the caller of the
 * operation gets the exception: a request fails and takes nothing, a free is done.
 */
public interface AllocationListener {

  /**
   * Called after a request got memory.
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
