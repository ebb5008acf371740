package dev.stowage.allocator;

/**
 * A request for which there is no room.
 *
 * @param requestedBytes the requested bytes
 * @param roundedBytes the bytes that it would have taken
 * @param neededBytes the bytes of a region for it; {@link Long#MAX_VALUE} if there is none as large
 * @param alignment its alignment, at least 256
 */
record FailedRequest(long requestedBytes, long roundedBytes, long neededBytes, long alignment) {

  /** {@return true if some region would be long enough} */
  boolean fitsInRegion() {
    return neededBytes < Long.MAX_VALUE;
  }
}
