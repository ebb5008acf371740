package dev.stowage.trace.format;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The free chunks of a logged BFC allocator, to tell which order of log lines its addresses permit.
 *
 * <p>The rules of TensorFlow's {@code bfc_allocator.cc} hold: the smallest free chunk of at least
 * the rounded bytes, at the lowest address; the rest is split off if the chunk is twice as large as
 * the request or if the rest has 128 MiB.
 */
final class LoggedChunks {

  private static final long UNIT = 256;
  private static final long LARGEST_REST = 128 << 20;

  private record Chunk(long address, long end, long region) {

    long bytes() {
      return end - address;
    }
  }

  private final TreeMap<Long, Chunk> free = new TreeMap<>();
  private final NavigableSet<Chunk> bySize =
      new TreeSet<>(Comparator.comparingLong(Chunk::bytes).thenComparingLong(Chunk::address));
  private final Map<Long, Chunk> used = new HashMap<>();

  /** Adds a region. */
  void addRegion(long address, long end) {
    put(new Chunk(address, end, address));
  }

  private static long rounded(long bytes) {
    return Math.max(UNIT, bytes + UNIT - 1 & -UNIT);
  }

  /** {@return the address that a request would get; empty if no free chunk fits} */
  OptionalLong place(long bytes) {
    Chunk chunk = bySize.ceiling(new Chunk(0, rounded(bytes), 0));
    return chunk == null ? OptionalLong.empty() : OptionalLong.of(chunk.address());
  }

  /** Takes a chunk at an address, if it is free. */
  void take(long address, long bytes) {
    Map.Entry<Long, Chunk> below = free.floorEntry(address);
    if (below == null || below.getValue().end() - address < rounded(bytes)) {
      return; // lines are missing
    }
    Chunk chunk = below.getValue();
    remove(chunk);
    long end = chunk.end();
    if (end - address >= 2 * rounded(bytes) || end - address - rounded(bytes) >= LARGEST_REST) {
      end = address + rounded(bytes);
      put(new Chunk(end, chunk.end(), chunk.region()));
    }
    if (chunk.address() < address) {
      put(new Chunk(chunk.address(), address, chunk.region()));
    }
    used.put(address, new Chunk(address, end, chunk.region()));
  }

  /** Frees the chunk at an address and {@return true if it was in use} */
  boolean free(long address) {
    Chunk chunk = used.remove(address);
    if (chunk == null) {
      return false;
    }
    long start = address;
    long end = chunk.end();
    Map.Entry<Long, Chunk> below = free.lowerEntry(address);
    if (below != null
        && below.getValue().end() == start
        && below.getValue().region() == chunk.region()) {
      start = below.getKey();
      remove(below.getValue());
    }
    Chunk above = free.get(end);
    if (above != null && above.region() == chunk.region()) {
      remove(above);
      end = above.end();
    }
    put(new Chunk(start, end, chunk.region()));
    return true;
  }

  /**
   * Takes back that a chunk was freed.
   *
   * @param address the address of the chunk
   * @param end its end
   */
  void undoFree(long address, long end) {
    Chunk chunk = free.floorEntry(address).getValue();
    remove(chunk);
    if (chunk.address() < address) {
      put(new Chunk(chunk.address(), address, chunk.region()));
    }
    if (end < chunk.end()) {
      put(new Chunk(end, chunk.end(), chunk.region()));
    }
    used.put(address, new Chunk(address, end, chunk.region()));
  }

  /** {@return the end of the chunk in use at an address; empty if there is none} */
  OptionalLong end(long address) {
    Chunk chunk = used.get(address);
    return chunk == null ? OptionalLong.empty() : OptionalLong.of(chunk.end());
  }

  private void put(Chunk chunk) {
    free.put(chunk.address(), chunk);
    bySize.add(chunk);
  }

  private void remove(Chunk chunk) {
    free.remove(chunk.address());
    bySize.remove(chunk);
  }
}
