package dev.stowage.core.trace;

import java.util.Optional;

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
   */
  public record Spot(int regionIndex, long offset) {}
}
