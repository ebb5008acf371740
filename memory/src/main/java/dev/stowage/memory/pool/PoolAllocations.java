package dev.stowage.memory.pool;

import dev.stowage.memory.lifetime.Failures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The allocations of one arena; not safe for use by many threads. */
final class PoolAllocations {

  /** The alignment of every chunk. */
  private static final long ALIGNMENT_BYTES = 256;

  private final PoolChunks chunks;
  private final ArenaKind kind;
  private final long id;
  private long[] addresses = new long[1];
  private int count;
  private long bytes;
  private int index;

  PoolAllocations(PoolChunks chunks, ArenaKind kind, long id) {
    this.chunks = chunks;
    this.kind = kind;
    this.id = id;
  }

  PoolChunks chunks() {
    return chunks;
  }

  /** {@return the number of the arena in its pool, counted from 1} */
  long id() {
    return id;
  }

  /** {@return the index of the arena in the open ones; guarded as these are} */
  int index() {
    return index;
  }

  void setIndex(int newIndex) {
    index = newIndex;
  }

  /** Makes room, so that the next {@link #add} cannot fail. */
  void makeRoom() {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * count);
    }
  }

  void add(long address, long byteSize) {
    addresses[count++] = address;
    bytes += byteSize;
  }

  /** {@return the addresses of the allocations} */
  Set<Long> addresses() {
    return Arrays.stream(addresses, 0, count).boxed().collect(Collectors.toSet());
  }

  /**
   * Frees all chunks, the latest first.
   *
   * <p>Throws the first failure of the listener or the device after the last chunk.
   */
  void freeAll() {
    Failures failures = new Failures();
    while (count > 0) {
      long address = addresses[--count];
      failures.attempt(() -> chunks.free(address));
    }
    chunks.freed().ifPresent(watch -> failures.attempt(watch::throwFindings));
    failures.throwFirst();
  }

  /** {@return the path of tags of the first allocation; empty if there is none} */
  String firstTag() {
    return count == 0 ? "" : chunks.tag(addresses[0]);
  }

  /** {@return the description of the arena in messages} */
  String describe(String threads, String tag) {
    String tagged = tag.isEmpty() ? "" : String.format(Locale.ROOT, " under tag '%s'", tag);
    return String.format(
        Locale.ROOT, "%s %s %d with %d bytes%s", threads, kind.word, id, bytes, tagged);
  }

  /** {@return a segment without bytes that ends with its arena, at an aligned address} */
  static MemorySegment noBytes(long byteAlignment, Arena arena) {
    return RawMemory.segment(Math.max(ALIGNMENT_BYTES, byteAlignment), 0, arena);
  }

  static void checkRequest(long byteSize, long byteAlignment) {
    if (byteSize < 0) {
      throw new IllegalArgumentException("byteSize must not be negative: byteSize=" + byteSize);
    }
    if (byteAlignment <= 0 || Long.bitCount(byteAlignment) != 1) {
      throw new IllegalArgumentException(
          "byteAlignment must be a power of two: byteAlignment=" + byteAlignment);
    }
  }
}
