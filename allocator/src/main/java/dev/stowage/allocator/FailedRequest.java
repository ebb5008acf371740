package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;

/**
 * A request for which there is no room.
 *
 * @param requestedBytes the requested bytes
 * @param roundedBytes the bytes that it would have taken
 * @param neededBytes the bytes of a region for it; {@link Long#MAX_VALUE} if there is none as large
 * @param alignment its alignment, at least 256
 */
record FailedRequest(long requestedBytes, long roundedBytes, long neededBytes, long alignment) {

  /** {@return the request in a message: its bytes, and the rounded ones if the text differs} */
  static String describe(long requestedBytes, long roundedBytes) {
    String rounded = ByteCount.text(roundedBytes);
    return ByteCount.exact(requestedBytes)
        + " requested"
        + (rounded.equals(ByteCount.text(requestedBytes)) ? "" : ", rounded up to " + rounded);
  }

  /** {@return true if some region would be long enough} */
  boolean fitsInRegion() {
    return neededBytes < Long.MAX_VALUE;
  }
}
