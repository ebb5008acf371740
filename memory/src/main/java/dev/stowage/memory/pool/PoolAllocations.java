package dev.stowage.memory.pool;

import dev.stowage.memory.lifetime.Failures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What one arena holds of a pool; not safe for use by many threads. */
final class PoolAllocations {

  /** Of every chunk of a pool. */
  private static final long ALIGNMENT = 256;

  private final MemoryPool pool;
  private final PoolArena.Kind kind;
  private final long id;
  private long[] addresses = new long[1];
  private int count;
  private long bytes;
  private int place;

  PoolAllocations(MemoryPool pool, PoolArena.Kind kind, long id) {
    this.pool = pool;
    this.kind = kind;
    this.id = id;
  }

  MemoryPool pool() {
    return pool;
  }

  /** {@return the number of the arena in its pool, counted from 1} */
  long id() {
    return id;
  }

  /** {@return where the arena is among the open ones; guarded as these are} */
  int place() {
    return place;
  }

  void setPlace(int newPlace) {
    place = newPlace;
  }

  /** Makes sure that the next {@link #add} cannot fail. */
  void makeRoom() {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * count);
    }
  }

  void add(long address, long byteSize) {
    addresses[count++] = address;
    bytes += byteSize;
  }

  /** {@return where these are} */
  Set<Long> addresses() {
    return Arrays.stream(addresses, 0, count).boxed().collect(Collectors.toSet());
  }

  /**
   * Gives all chunks back to the pool, the latest first.
   *
   * <p>Throws the first failure of the listener or the device after the last chunk.
   */
  void freeAll() {
    Failures failures = new Failures();
    while (count > 0) {
      long address = addresses[--count];
      failures.attempt(() -> pool.give(address));
    }
    failures.throwFirst();
  }

  /** {@return the path of tags of the first one, empty for none} */
  String firstTag() {
    return count == 0 ? "" : pool.tag(addresses[0]);
  }

  /** {@return how messages call who holds these} */
  String describe(String threads, String tag) {
    String tagged = tag.isEmpty() ? "" : String.format(Locale.ROOT, " under tag '%s'", tag);
    return String.format(
        Locale.ROOT, "%s %s %d with %d bytes%s", threads, kind.word, id, bytes, tagged);
  }

  @SuppressWarnings("restricted") // the bytes are the arena's own until after it has ended
  static MemorySegment segment(long address, long byteSize, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
  }

  /** {@return a segment that takes no memory and ends with its arena, at an aligned address} */
  static MemorySegment noBytes(long byteAlignment, Arena arena) {
    return segment(Math.max(ALIGNMENT, byteAlignment), 0, arena);
  }

  static void checkRequest(long byteSize, long byteAlignment) {
    if (byteSize < 0) {
      throw new IllegalArgumentException("a segment has a negative size: byteSize=" + byteSize);
    }
    if (byteAlignment <= 0 || Long.bitCount(byteAlignment) != 1) {
      throw new IllegalArgumentException(
          "an alignment is no power of two: byteAlignment=" + byteAlignment);
    }
  }
}
