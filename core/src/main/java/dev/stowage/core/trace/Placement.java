package dev.stowage.core.trace;

import java.util.Optional;

/**
 * Where a replayed request went.
 *
 * @param id what it is called
 * @param bytes how many bytes were asked for
 * @param spot its place, empty where the request failed or was for no bytes
 */
public record Placement(String id, long bytes, Optional<Spot> spot) {

  /**
   * A place.
   *
   * @param regionIndex which region, counted from 0 in the order of their addresses, which is the
   *     one they were added in
   * @param offset bytes from the region's start
   */
  public record Spot(int regionIndex, long offset) {}
}
