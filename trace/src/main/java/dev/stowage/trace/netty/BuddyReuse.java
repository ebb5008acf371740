package dev.stowage.trace.netty;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The chunks of large buffers that no magazine holds, by the free bytes that they had last. */
final class BuddyReuse implements ChunkReuse<BuddyChunk> {

  private final int mostUnused;

  /** The chunks by their free bytes when they were added, the newest first. */
  private final TreeMap<Integer, Deque<BuddyChunk>> chunks = new TreeMap<>();

  private int count;

  /**
   * @param mostUnused the number of chunks above which unused ones are given back
   */
  BuddyReuse(int mostUnused) {
    this.mostUnused = mostUnused;
  }

  @Override
  public Optional<BuddyChunk> poll(int bytes) {
    Map.Entry<Integer, Deque<BuddyChunk>> fitting = chunks.ceilingEntry(bytes);
    if (fitting != null) {
      BuddyChunk chunk = fitting.getValue().getFirst();
      remove(fitting.getKey(), chunk);
      chunk.forgetFreed();
      return Optional.of(chunk);
    }
    return pollFreed(bytes);
  }

  /** {@return of the chunks in which buffers were freed, the one with the most free bytes} */
  private Optional<BuddyChunk> pollFreed(int bytes) {
    Optional<BuddyChunk> best = Optional.empty();
    for (Entry entry : entries()) {
      BuddyChunk chunk = entry.chunk();
      if (chunk.hasFreed()) {
        remove(entry.key(), chunk);
        chunk.forgetFreed();
        int free = chunk.remainingBytes();
        if (free >= bytes && (best.isEmpty() || free > best.get().remainingBytes())) {
          best.ifPresent(this::put);
          best = Optional.of(chunk);
        } else {
          put(chunk);
        }
      }
    }
    return best;
  }

  @Override
  public void offer(BuddyChunk chunk) {
    chunk.forgetFreed();
    put(chunk);
    while (count > mostUnused) {
      Optional<Entry> unused =
          entries().stream().filter(entry -> entry.chunk().isUnused()).findFirst();
      if (unused.isEmpty()) {
        return;
      }
      remove(unused.get().key(), unused.get().chunk());
      unused.get().chunk().retire();
    }
  }

  private record Entry(int key, BuddyChunk chunk) {}

  private List<Entry> entries() {
    List<Entry> all = new ArrayList<>(count);
    chunks.forEach((key, equal) -> equal.forEach(chunk -> all.add(new Entry(key, chunk))));
    return all;
  }

  private void put(BuddyChunk chunk) {
    chunks.computeIfAbsent(chunk.remainingBytes(), _ -> new ArrayDeque<>()).addFirst(chunk);
    count++;
  }

  private void remove(int key, BuddyChunk chunk) {
    count--;
    chunks.computeIfPresent(
        key,
        (_, equal) -> {
          equal.remove(chunk);
          return equal.isEmpty() ? null : equal;
        });
  }
}
