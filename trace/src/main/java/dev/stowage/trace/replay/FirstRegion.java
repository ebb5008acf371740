package dev.stowage.trace.replay;

import java.util.OptionalLong;

/**
 * The first region of a recorded allocator, and the request that needed it.
 *
 * @param address its address
 * @param bytes its size
 * @param requestedBytes the bytes of the request
 * @param requestAddress the address of the request, if it did not fail
 * @param alignment the alignment that the request asked for; 0 if it is not known
 */
public record FirstRegion(
    long address, long bytes, long requestedBytes, OptionalLong requestAddress, long alignment) {

  private static final long UNIT = 256;

  /** {@return the spaces that the request shows; empty if it does not show two spaces} */
  XlaSpaces spaces() {
    boolean isCollective = XlaSpaces.isCollective(alignment);
    long first = requestAddress.orElse(address);
    if (first != address && first == highest(requestedBytes, alignment)) {
      return isCollective ? XlaSpaces.COLLECTIVE_HIGH : XlaSpaces.COLLECTIVE_LOW;
    }
    return isCollective ? XlaSpaces.COLLECTIVE_LOW : XlaSpaces.ONE;
  }

  /** {@return the highest address for a request, if no chunk at the end is in use} */
  long highest(long requested, long aligned) {
    long rounded = requested + UNIT - 1 & -UNIT;
    return address + bytes - rounded & -Math.max(UNIT, aligned);
  }
}
