package dev.stowage.trace.replay;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The placement of a replayed request.
 *
 * @param id the id of the allocation
 * @param bytes the requested bytes
 * @param spot the place; empty if the request failed or was for 0 bytes
 */
public record Placement(String id, long bytes, Optional<Spot> spot) {

  /**
   * A place in a region.
   *
   * @param regionIndex the index of the region, from 0, by ascending address; regions are added in
   *     this order
   * @param offset the offset from the start of the region, in bytes
   * @param address the address, if the allocator decides addresses of a device
   */
  public record Spot(int regionIndex, long offset, OptionalLong address) {

    /**
     * Creates a place without an address.
     *
     * @param regionIndex the index of the region
     * @param offset the offset from the start of the region, in bytes
     */
    public Spot(int regionIndex, long offset) {
      this(regionIndex, offset, OptionalLong.empty());
    }
  }
}
