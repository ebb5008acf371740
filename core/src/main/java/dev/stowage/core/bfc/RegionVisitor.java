package dev.stowage.core.bfc;

/**
 * A visitor of memory that comes from a sub-allocator and goes back to it.
 *
 * <p>The allocator calls it with its lock. A visitor must not call the allocator, as {@link
 * SubAllocator} describes.
 */
public interface RegionVisitor {

  /**
   * Called after memory has come: a region, or an addition at the end of one.
   *
   * @param address the address of the memory
   * @param bytes its size
   */
  void added(long address, long bytes);

  /**
   * Called before memory goes back: a region, or the end of one.
   *
   * <p>If the sub-allocator does not take it back, {@link #added} is called for it. If this method
   * throws, the memory stays.
   *
   * @param address the address of the memory
   * @param bytes its size
   */
  void removed(long address, long bytes);
}
