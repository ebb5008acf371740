package dev.stowage.trace.netty;

import dev.stowage.trace.replay.SimulatedAllocator;

/** Memory that an allocator of Netty got in one piece. */
final class NettyChunk {

  private final SimulatedAllocator.Region region;
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

  /** {@return the bytes that no buffer of the program holds} */
  long freeBytes() {
    return region.bytes() - usedBytes;
  }

  void use(long bytes) {
    usedBytes += bytes;
  }
}
