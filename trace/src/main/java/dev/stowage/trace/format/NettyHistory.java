package dev.stowage.trace.format;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** The facts about the events of one class of allocators that a second pass needs. */
final class NettyHistory {

  /** The most bytes of a buffer of the adaptive allocator that may lie in memory of a thread. */
  private static final long MOST_OF_THREAD = 16_896;

  private final String allocator;
  private final Set<Long> live = new HashSet<>();
  private final Set<Long> chunks = new HashSet<>();
  private final Set<Long> threads = new HashSet<>();
  private final Set<Long> cachingThreads = new HashSet<>();
  private final Set<Long> otherThreads = new HashSet<>();

  /** The capacities of buffers that are older than the recording, by their addresses. */
  private final Map<Long, Long> older = new LinkedHashMap<>();

  private long allocations;
  private long frees;
  private long olderChunks;
  private long chunkEvents;
  private long reservedBytes;
  private long peakReservedBytes;

  NettyHistory(String allocator) {
    this.allocator = allocator;
  }

  void add(NettyEvent event) {
    switch (event.kind()) {
      case ALLOCATED -> {
        allocations++;
        addThread(event);
        live.add(event.address());
      }
      case FREED, REALLOCATED -> {
        frees++;
        if (!live.remove(event.address())) {
          older.putIfAbsent(event.address(), event.bytes());
        }
      }
      case CHUNK_ADDED -> {
        chunkEvents++;
        chunks.add(event.address());
        reservedBytes += event.bytes();
        peakReservedBytes = Math.max(peakReservedBytes, reservedBytes);
      }
      case CHUNK_REMOVED -> {
        chunkEvents++;
        if (chunks.remove(event.address())) {
          reservedBytes -= event.bytes();
        } else {
          olderChunks++;
        }
      }
      case HEAP_BUFFER, FACT -> {}
    }
  }

  String allocator() {
    return allocator;
  }

  long allocations() {
    return allocations;
  }

  long frees() {
    return frees;
  }

  Map<Long, Long> older() {
    return older;
  }

  private void addThread(NettyEvent event) {
    threads.add(event.thread());
    if (event.isOfThread()) {
      cachingThreads.add(event.thread());
    } else if (event.bytes() <= MOST_OF_THREAD) {
      otherThreads.add(event.thread());
    }
  }

  boolean isPooled() {
    return allocator.endsWith("PooledByteBufAllocator");
  }

  /**
   * {@return the threads for which allocators keep memory, which are event loops}
   *
   * <p>A thread that has only large buffers of the adaptive allocator does not show it. It is
   * probably an event loop, too.
   */
  Set<Long> cachingThreads() {
    if (isPooled()) {
      return cachingThreads;
    }
    Set<Long> all = new HashSet<>(threads);
    all.removeAll(otherThreads);
    all.addAll(cachingThreads);
    return all;
  }

  boolean hasChunks() {
    return chunkEvents > 0;
  }

  /** {@return the most bytes of all chunks; empty if chunks are older than the recording} */
  OptionalLong peakReservedBytes() {
    return hasChunks() && older.isEmpty() && olderChunks == 0
        ? OptionalLong.of(peakReservedBytes)
        : OptionalLong.empty();
  }
}
