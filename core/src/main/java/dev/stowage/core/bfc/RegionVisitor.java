package dev.stowage.core.bfc;

/**
 * Sees memory that comes from a sub-allocator and goes back to it.
 *
 * <p>It is called while the allocator is locked, and must not call the allocator back, as {@link
 * SubAllocator} says.
 */
public interface RegionVisitor {

  /**
   * Sees memory that has just come: a region, or what was added at the end of one.
   *
   * @param address where it starts
   * @param bytes how many there are
   */
  void added(long address, long bytes);

  /**
   * Sees memory that is about to go: a region, or what is taken from the end of one.
   *
   * <p>Where the sub-allocator then does not take it back, that memory is added again. Where this
   * throws, it stays where it is.
   *
   * @param address where it starts
   * @param bytes how many there are
   */
  void removed(long address, long bytes);
}
