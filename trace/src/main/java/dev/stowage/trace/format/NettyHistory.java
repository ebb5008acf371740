package dev.stowage.trace.format;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The facts about the events of one class of allocators that a second pass needs. */
final class NettyHistory {

  /** The most bytes of a buffer of the adaptive allocator that may lie in memory of a thread. */
  private static final long MOST_OF_THREAD = 16_896;

  private final String allocator;

  /** The live buffers by address, with their numbers in the script. */
  private final Map<Long, Integer> live = new HashMap<>();

  /** The addresses of buffers that get other memory, by their threads. */
  private final Map<Long, Long> moving = new HashMap<>();

  private final Set<Long> chunks = new HashSet<>();
  private final Set<Long> threads = new HashSet<>();
  private final Set<Long> cachingThreads = new HashSet<>();
  private final Set<Long> otherThreads = new HashSet<>();
  private final Set<Long> virtualThreads = new HashSet<>();
  private final NettyScript script = new NettyScript();

  /** The capacities of buffers that are older than the recording, by their addresses. */
  private final Map<Long, Long> older = new LinkedHashMap<>();

  private long allocations;
  private long frees;
  private long olderChunks;
  private long chunkEvents;
  private long addedChunks;
  private long reservedBytes;
  private long peakReservedBytes;

  NettyHistory(String allocator) {
    this.allocator = allocator;
  }

  void add(NettyEvent event) {
    switch (event.kind()) {
      case ALLOCATED -> allocate(event);
      case FREED -> {
        frees++;
        free(event.thread(), known(event));
      }
      case REALLOCATED -> {
        frees++;
        known(event).ifPresent(buffer -> live.put(event.address(), buffer));
        moving.put(event.thread(), event.address());
      }
      case CHUNK_ADDED -> {
        chunkEvents++;
        addedChunks++;
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
      case THREAD_ENDED -> script.end(event.thread());
      case HEAP_BUFFER, FACT -> {}
    }
  }

  private void allocate(NettyEvent event) {
    allocations++;
    if (event.bytes() < 0) {
      return; // the replay refuses it
    }
    addThread(event);
    long thread = event.thread();
    free(thread, Optional.ofNullable(live.remove(event.address())));
    Integer old = live.remove(moving.remove(thread));
    int bytes = (int) event.bytes();
    live.put(
        event.address(),
        old == null ? script.allocate(thread, bytes) : script.grow(thread, old, bytes));
  }

  private void free(long thread, Optional<Integer> buffer) {
    buffer.ifPresent(number -> script.free(thread, number));
  }

  /** {@return the buffer that an event ends; empty if it has ended} */
  private Optional<Integer> known(NettyEvent event) {
    Integer number = live.remove(event.address());
    if (number != null) {
      return Optional.of(number);
    }
    return older.putIfAbsent(event.address(), event.bytes()) == null
        ? Optional.of(script.allocateOlder(event.thread(), (int) event.bytes()))
        : Optional.empty();
  }

  /** {@return the facts about the program, after the last event} */
  RecordedProgram program(NettyFacts facts) {
    return new RecordedProgram(
        facts.settings(isPooled()),
        facts.version(),
        peakReservedBytes(),
        addedChunks,
        script.complete(cachingThreads(), virtualThreads));
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
    if (event.isVirtual()) {
      virtualThreads.add(event.thread());
    }
    if (event.isOfThread()) {
      cachingThreads.add(event.thread());
    } else if (event.bytes() <= MOST_OF_THREAD) {
      otherThreads.add(event.thread());
    }
  }

  private boolean isPooled() {
    return allocator.endsWith("PooledByteBufAllocator");
  }

  /**
   * {@return the threads for which allocators keep memory, which are event loops}
   *
   * <p>A thread that has only large buffers of the adaptive allocator does not show it. It is
   * probably an event loop, too.
   */
  private Set<Long> cachingThreads() {
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
  private OptionalLong peakReservedBytes() {
    return hasChunks() && older.isEmpty() && olderChunks == 0
        ? OptionalLong.of(peakReservedBytes)
        : OptionalLong.empty();
  }
}
