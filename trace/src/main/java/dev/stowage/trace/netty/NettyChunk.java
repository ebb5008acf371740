package dev.stowage.trace.netty;

import dev.stowage.trace.replay.SimulatedAllocator;

/** Memory that an allocator of Netty got in one piece. */
final class NettyChunk {

  private final SimulatedAllocator.Region region;
  private long realAddress;
  private long usedBytes;

  NettyChunk(SimulatedAllocator.Region region, long realAddress) {
    this.region = region;
    this.realAddress = realAddress;
  }

  long realAddress() {
    return realAddress;
  }

  /** Sets the address in the process of Netty, which not all events have. */
  void placeAt(long address) {
    realAddress = address;
  }

  /** {@return true if a buffer of the process of Netty lies in this chunk} */
  boolean holds(long address) {
    return address - realAddress < region.bytes();
  }

  /** {@return the address of a buffer in the replay} */
  long addressOf(long address) {
    return region.address() + (address - realAddress);
  }

  SimulatedAllocator.Region region() {
    return region;
  }

  long bytes() {
    return region.bytes();
  }

  /** {@return the bytes that no buffer of the program holds} */
  long freeBytes() {
    return region.bytes() - usedBytes;
  }

  /** {@return true if no buffer of the program is in this chunk} */
  boolean isUnused() {
    return usedBytes == 0;
  }

  /** Takes note of a buffer, with a negative size if it ends. */
  void use(long bytes) {
    usedBytes += bytes;
  }
}
