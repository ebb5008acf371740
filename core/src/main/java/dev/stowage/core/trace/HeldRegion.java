package dev.stowage.core.trace;

/**
 * A region that the allocator of a replay holds.
 *
 * @param index its index, as in {@link Placement.Spot}; it does not change when other regions are
 *     returned
 * @param bytes its size in bytes
 * @param owner the stream and pool that hold it, such as {@code stream 0, large blocks}; empty if
 *     several can
 */
public record HeldRegion(int index, long bytes, String owner) {

  /**
   * Creates a region that belongs to all streams.
   *
   * @param index its index
   * @param bytes its size in bytes
   */
  public HeldRegion(int index, long bytes) {
    this(index, bytes, "");
  }
}
