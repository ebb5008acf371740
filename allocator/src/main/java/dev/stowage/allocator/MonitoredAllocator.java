package dev.stowage.allocator;

import java.util.List;

/**
 * An allocator or pool that metrics and management tools can read.
 *
 * <p>All methods are safe for use by many threads, and work after the allocator is closed, except
 * {@link #trim()}.
 */
public interface MonitoredAllocator {

  /** {@return the name in messages} */
  String name();

  /** {@return the current statistics; costs O(1)} */
  AllocatorStatistics statistics();

  /** {@return the number of requests so far that threw a {@link BfcOutOfMemoryException}} */
  long failedRequests();

  /** {@return a report of the memory in use and free; costs O(chunks)} */
  AllocatorReport report();

  /** {@return the regions with all chunks, free ones included, at one moment; costs O(chunks)} */
  List<RegionChunks> chunks();

  /**
   * Returns free memory to its source.
   *
   * @return the number of bytes returned, and the allocations that pin the rest
   * @throws IllegalStateException if the allocator is closed
   */
  TrimResult trim();
}
