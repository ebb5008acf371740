package dev.stowage.allocator;

/** The growth of an allocator's memory. */
public enum RegionGrowth {
  /** One region, as large as the limit, which the first request allocates. */
  ONE_REGION,

  /** Regions that double: each is at least twice the size of the one before. */
  DOUBLING,

  /**
   * One region. The allocator lengthens it by the bytes that a request lacks. Its free end can be
   * returned. If the sub-allocator cannot lengthen regions, regions double as with {@link
   * #DOUBLING}, and free regions are returned before a request fails.
   */
  EXPANDABLE
}
