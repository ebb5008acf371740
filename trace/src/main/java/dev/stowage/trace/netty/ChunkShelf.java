package dev.stowage.trace.netty;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;

/** The chunks of an arena of which a similar share is in use. */
final class ChunkShelf {

  /*
   * A chunk moves to the fuller shelf when its free bytes fall to a threshold, and back when they
   * rise above another one. The thresholds overlap, so that chunks do not move all the time.
   */

  /** The part of a percent that a chunk may be above a bound: a share is a whole number. */
  private static final double ROUNDING = 0.99999999;

  private static final double PERCENT = 100;

  private final int index;
  private final int mostBufferBytes;
  private final int fullerBelow;
  private final int emptierAbove;
  private final SequencedSet<PooledChunk> chunks = new LinkedHashSet<>();
  private Optional<ChunkShelf> fuller = Optional.empty();
  private Optional<ChunkShelf> emptier = Optional.empty();

  /**
   * @param index its index in the arena
   * @param leastUsed the least percent of a chunk in use
   * @param mostUsed the most percent of a chunk in use
   */
  ChunkShelf(int index, int leastUsed, int mostUsed, int chunkBytes) {
    this.index = index;
    int least = Math.max(1, leastUsed);
    mostBufferBytes = (int) (chunkBytes * (100L - least) / 100);
    fullerBelow = mostUsed == 100 ? 0 : threshold(mostUsed, chunkBytes);
    emptierAbove = leastUsed == 100 ? 0 : threshold(leastUsed, chunkBytes);
  }

  private static int threshold(int percent, int chunkBytes) {
    return (int) (chunkBytes * (PERCENT - percent + ROUNDING) / PERCENT);
  }

  void link(Optional<ChunkShelf> emptierOne, Optional<ChunkShelf> fullerOne) {
    emptier = emptierOne;
    fuller = fullerOne;
  }

  SequencedSet<PooledChunk> chunks() {
    return chunks;
  }

  boolean mayHold(int bytes) {
    return bytes <= mostBufferBytes;
  }

  /** Adds a chunk to this shelf or a fuller one. */
  void add(PooledChunk chunk) {
    if (fuller.isPresent() && chunk.freeBytes() <= fullerBelow) {
      fuller.get().add(chunk);
    } else {
      put(chunk);
    }
  }

  private void put(PooledChunk chunk) {
    chunk.putOn(index);
    chunks.addFirst(chunk);
  }

  /** Moves a chunk from which a run was taken, if it is now too full for this shelf. */
  void taken(PooledChunk chunk) {
    if (fuller.isPresent() && chunk.freeBytes() <= fullerBelow) {
      chunks.remove(chunk);
      fuller.get().add(chunk);
    }
  }

  /** {@return false if a chunk in which a run was freed left the last shelf, and is given back} */
  boolean freed(PooledChunk chunk) {
    if (chunk.freeBytes() <= emptierAbove) {
      return true;
    }
    chunks.remove(chunk);
    return moved(chunk);
  }

  private boolean moved(PooledChunk chunk) {
    if (emptier.isEmpty()) {
      return false;
    }
    ChunkShelf other = emptier.get();
    if (chunk.freeBytes() > other.emptierAbove) {
      return other.moved(chunk);
    }
    other.put(chunk);
    return true;
  }
}
