package dev.stowage.core.bfc;

/** How an allocator comes by more memory. */
public enum RegionGrowth {
  /** One region of the limit, taken with the first request. */
  ONE_REGION,

  /** Regions that double: each is at least twice the size of the one before. */
  DOUBLING,

  /**
   * One range of addresses: what a request lacks is added at the region's end, and the end can be
   * given back. If the sub-allocator cannot make regions longer, regions double as in {@link
   * #DOUBLING}, and the allocator gives wholly free regions back before a request fails.
   */
  EXPANDABLE
}
