package dev.stowage.core.bfc;

/** The way in which an allocator gets more memory. */
public enum RegionGrowth {
  /** One region, as large as the limit, with the first request. */
  ONE_REGION,

  /** Regions that double: each is at least twice the size of the one before. */
  DOUBLING,

  /**
   * One region that becomes longer by the bytes that a request lacks, and whose free end can go
   * back. If the sub-allocator cannot lengthen regions, regions double as with {@link #DOUBLING},
   * and free regions go back before a request fails.
   */
  EXPANDABLE
}
