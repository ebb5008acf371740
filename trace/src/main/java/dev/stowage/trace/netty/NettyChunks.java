package dev.stowage.trace.netty;

import dev.stowage.trace.replay.ChangedRegions;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.List;
import java.util.TreeMap;

/** The chunks of an allocator, and their bytes. */
final class NettyChunks {

  /** The distance between chunks, so that no two have a common end. */
  private static final long GAP = 1 << 12;

  private final TreeMap<Integer, NettyChunk> chunks = new TreeMap<>();

  private final ChangedRegions<NettyChunk> changed = new ChangedRegions<>();
  private int nextIndex;
  private long nextAddress;
  private long bytes;
  private long peakBytes;

  private long calls;

  /**
   * {@return a new chunk}
   *
   * @param realAddress its address in the process of Netty
   * @param size its bytes
   */
  NettyChunk add(long realAddress, long size) {
    NettyChunk chunk =
        new NettyChunk(
            new SimulatedAllocator.Region(nextIndex++, nextAddress, size, ""), realAddress);
    nextAddress += size + GAP;
    chunks.put(chunk.region().index(), chunk);
    changed.add(chunk);
    bytes += size;
    peakBytes = Math.max(peakBytes, bytes);
    calls++;
    return chunk;
  }

  void remove(NettyChunk chunk) {
    chunks.remove(chunk.region().index());
    changed.add(chunk);
    bytes -= chunk.bytes();
    calls++;
  }

  /** {@return the most free bytes of a chunk, which need not be contiguous} */
  long mostFreeBytes() {
    return chunks.values().stream().mapToLong(NettyChunk::freeBytes).max().orElse(0);
  }

  /** {@return the current chunks by ascending address} */
  List<NettyChunk> all() {
    return List.copyOf(chunks.values());
  }

  /** {@return the chunks that changed since the last call, or all; 0 bytes if one was removed} */
  List<SimulatedAllocator.Region> changedRegions() {
    return changed.take(chunks.values(), this::now);
  }

  private SimulatedAllocator.Region now(NettyChunk chunk) {
    SimulatedAllocator.Region region = chunk.region();
    return chunks.containsKey(region.index())
        ? region
        : new SimulatedAllocator.Region(region.index(), region.address(), 0, region.owner());
  }

  long bytes() {
    return bytes;
  }

  /** {@return the bytes of the chunks without buffers} */
  long unusedBytes() {
    return chunks.values().stream().filter(NettyChunk::isUnused).mapToLong(NettyChunk::bytes).sum();
  }

  long peakBytes() {
    return peakBytes;
  }

  /** {@return the number of chunks that were added or removed} */
  long calls() {
    return calls;
  }
}
