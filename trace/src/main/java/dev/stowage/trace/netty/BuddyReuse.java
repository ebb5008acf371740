package dev.stowage.trace.netty;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The chunks of large buffers that no magazine holds, by the free bytes that they had last. */
final class BuddyReuse implements ChunkReuse<BuddyChunk> {

  /*
   * Netty searches all chunks for those in which buffers were freed since they were added, and for
   * those without buffers. Here, a chunk enters one of two further maps when a buffer is freed.
   * All have the order of Netty's search. A request, an offer and a free take O(log n) for n chunks,
   * amortized.
   */

  /**
   * The place of a chunk.
   *
   * @param freeBytes the free bytes of the chunk when it was added
   * @param number the number of chunks that were added before
   */
  private record Place(int freeBytes, long number) {}

  /** The order of the search: the fewest free bytes first; of equal chunks, the newest. */
  private static final Comparator<Place> SEARCH =
      Comparator.comparingInt(Place::freeBytes)
          .thenComparing(Comparator.comparingLong(Place::number).reversed());

  private final int mostUnused;
  private final TreeMap<Place, BuddyChunk> chunks = new TreeMap<>(SEARCH);

  /** The chunks in which buffers were freed since they were added. */
  private final TreeMap<Place, BuddyChunk> freed = new TreeMap<>(SEARCH);

  /** The chunks without buffers. */
  private final TreeMap<Place, BuddyChunk> unused = new TreeMap<>(SEARCH);

  private long added;

  /**
   * @param mostUnused the number of chunks above which unused ones are given back
   */
  BuddyReuse(int mostUnused) {
    this.mostUnused = mostUnused;
  }

  @Override
  public Optional<BuddyChunk> poll(int bytes) {
    Map.Entry<Place, BuddyChunk> fitting = chunks.ceilingEntry(new Place(bytes, Long.MAX_VALUE));
    if (fitting == null) {
      return pollFreed(bytes);
    }
    remove(fitting.getKey(), fitting.getValue());
    return Optional.of(fitting.getValue());
  }

  /** {@return of the chunks in which buffers were freed, the one with the most free bytes} */
  private Optional<BuddyChunk> pollFreed(int bytes) {
    Optional<BuddyChunk> best = Optional.empty();
    for (Map.Entry<Place, BuddyChunk> entry : new TreeMap<>(freed).entrySet()) {
      BuddyChunk chunk = entry.getValue();
      remove(entry.getKey(), chunk);
      int free = chunk.remainingBytes();
      if (free >= bytes && (best.isEmpty() || free > best.get().remainingBytes())) {
        best.ifPresent(this::put);
        best = Optional.of(chunk);
      } else {
        put(chunk);
      }
    }
    return best;
  }

  @Override
  public void offer(BuddyChunk chunk) {
    put(chunk);
    Map.Entry<Place, BuddyChunk> first = unused.firstEntry();
    while (chunks.size() > mostUnused && first != null) {
      remove(first.getKey(), first.getValue());
      first.getValue().retire();
      first = unused.firstEntry();
    }
  }

  private void put(BuddyChunk chunk) {
    Place place = new Place(chunk.remainingBytes(), added++);
    chunks.put(place, chunk);
    addIfUnused(place, chunk);
    chunk.onFree(() -> {
      freed.put(place, chunk);
      addIfUnused(place, chunk);
    });
  }

  private void addIfUnused(Place place, BuddyChunk chunk) {
    if (chunk.isUnused()) {
      unused.put(place, chunk);
    }
  }

  private void remove(Place place, BuddyChunk chunk) {
    chunks.remove(place);
    freed.remove(place);
    unused.remove(place);
    chunk.onFree(() -> {});
  }
}
