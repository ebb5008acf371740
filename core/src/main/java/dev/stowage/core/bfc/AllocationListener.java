package dev.stowage.core.bfc;

/**
 * Hears what an allocator does, in the order in which it does it.
 *
 * <p>It is called while the allocator is locked: it must be quick, and must not call the allocator,
 * which answers that with an {@link IllegalStateException}. What it throws reaches whoever asked or
 * freed: the request has failed then and takes nothing, the free is done.
 */
public interface AllocationListener {

  /**
   * Hears of a request that was answered.
   *
   * @param allocation what is in use now
   */
  void allocated(Allocation allocation);

  /**
   * Hears of a free.
   *
   * @param id which allocation
   */
  void freed(long id);

  /**
   * Hears of a request that failed.
   *
   * @param bytes how many were asked for
   */
  void failed(long bytes);

  /** {@return one that does nothing} */
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
