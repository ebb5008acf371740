package dev.stowage.trace.replay;

import java.util.OptionalLong;

/**
 * The first region of a recorded allocator, and the request that needed it.
 *
 * @param address its address
 * @param bytes its size
 * @param requestedBytes the bytes of the request
 * @param requestAddress the address of the request, if it did not fail
 */
public record FirstRegion(
    long address, long bytes, long requestedBytes, OptionalLong requestAddress) {

  private static final long UNIT = 256;

  /** {@return true if the request lies at the high end of the region, and not at its start} */
  boolean isUsedFromHighEnd() {
    long end = (requestedBytes + UNIT - 1 & -UNIT) + requestAddress.orElse(0);
    return requestAddress.orElse(address) != address && end == address + bytes;
  }
}
