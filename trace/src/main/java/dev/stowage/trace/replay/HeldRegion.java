package dev.stowage.trace.replay;

/**
 * A region that the allocator of a replay holds.
 *
 * @param index its index, as in {@link Placement.Spot}; it does not change when other regions are
 *     returned
 * @param bytes its size in bytes
 * @param owner the stream and pool that hold it, such as {@code stream 0, large blocks}; {@code by
 *     stream} if each stream has free blocks of its own, empty if all streams share them
 * @param pageBytes the bytes of the pages that the allocator can return one by one, counted from
 *     the start; 0 if it returns only the whole region
 */
public record HeldRegion(int index, long bytes, String owner, long pageBytes) {

  /**
   * Creates a region; all streams share its free blocks.
   *
   * @param index its index
   * @param bytes its size in bytes
   */
  public HeldRegion(int index, long bytes) {
    this(index, bytes, "", 0);
  }
}
