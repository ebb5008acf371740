package dev.stowage.allocator;

/**
 * A visitor of the memory that an allocator gets from a sub-allocator and returns to it.
 *
 * <p>The allocator calls it while it holds its lock. A visitor must not call the allocator, as
 * {@link SubAllocator} describes. It must not write to the memory, because memory of a {@linkplain
 * SubAllocator#isZeroed() zeroed} sub-allocator counts as zero.
 */
interface RegionVisitor {

  /**
   * Called after the allocator got memory: a region, or an addition at the end of one.
   *
   * @param address the address of the memory
   * @param bytes its size
   */
  void added(long address, long bytes);

  /**
   * Called before the allocator returns memory: a region, or the end of one.
   *
   * <p>If the sub-allocator does not accept the memory, {@link #added} is called for it. If this
   * method throws, the allocator keeps the memory.
   *
   * @param address the address of the memory
   * @param bytes its size
   */
  void removed(long address, long bytes);
}
