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

  /** The number of chunks for each number of free bytes. */
  private final TreeMap<Long, Integer> freeBytes = new TreeMap<>();

  private final ChangedRegions<NettyChunk> changed = new ChangedRegions<>();
  private int nextIndex;
  private long nextAddress;
  private long bytes;
  private long peakBytes;

  /** The bytes of the chunks without buffers. */
  private long unusedBytes;

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
    freeBytes.merge(size, 1, Integer::sum);
    unusedBytes += size;
    bytes += size;
    peakBytes = Math.max(peakBytes, bytes);
    calls++;
    return chunk;
  }

  void remove(NettyChunk chunk) {
    chunks.remove(chunk.region().index());
    changed.add(chunk);
    removeFree(chunk.freeBytes());
    unusedBytes -= unusedBytes(chunk);
    bytes -= chunk.bytes();
    calls++;
  }

  /**
   * Takes note of a buffer in a chunk, or of its end.
   *
   * @param change the bytes of the buffer, negative if it ends
   */
  void use(NettyChunk chunk, long change) {
    removeFree(chunk.freeBytes());
    unusedBytes -= unusedBytes(chunk);
    chunk.use(change);
    unusedBytes += unusedBytes(chunk);
    freeBytes.merge(chunk.freeBytes(), 1, Integer::sum);
  }

  private static long unusedBytes(NettyChunk chunk) {
    return chunk.freeBytes() == chunk.bytes() ? chunk.bytes() : 0;
  }

  private void removeFree(long free) {
    freeBytes.computeIfPresent(free, (_, count) -> count == 1 ? null : count - 1);
  }

  /** {@return the most free bytes of a chunk, which need not be contiguous} */
  long mostFreeBytes() {
    return freeBytes.isEmpty() ? 0 : freeBytes.lastKey();
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
    return unusedBytes;
  }

  long peakBytes() {
    return peakBytes;
  }

  /** {@return the number of chunks that were added or removed} */
  long calls() {
    return calls;
  }
}
