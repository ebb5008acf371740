package dev.stowage.cli.netty;

import dev.stowage.trace.replay.SimulatedAllocator;

/** Memory that an allocator of Netty got in one piece. */
final class NettyChunk {

  private final SimulatedAllocator.Region region;
  private long realAddress;
  private long usedBytes;

  NettyChunk(SimulatedAllocator.Region region) {
    this.region = region;
  }

  SimulatedAllocator.Region region() {
    return region;
  }

  long bytes() {
    return region.bytes();
  }

  /** {@return the address in the process of Netty; 0 if it is not known} */
  long realAddress() {
    return realAddress;
  }

  void placeAt(long address) {
    realAddress = address;
  }

  /** {@return the bytes that no buffer of the program holds} */
  long freeBytes() {
    return region.bytes() - usedBytes;
  }

  boolean isUnused() {
    return usedBytes == 0;
  }

  /** Takes note of a buffer, with a negative size if it ends. */
  void use(long bytes) {
    usedBytes += bytes;
  }
}
