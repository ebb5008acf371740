package dev.stowage.trace.netty;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/** An arena of the pooled allocator: the chunks of the threads that were assigned to it. */
final class PooledArena {

  /** Memory of a buffer in a chunk, which a cache may keep after the buffer is freed. */
  sealed interface Piece {

    NettyChunk memory();

    long offset();

    int bytes();
  }

  /** Whole pages. */
  record Run(PooledChunk chunk, int firstPage, int bytes, int pageBytes) implements Piece {

    @Override
    public NettyChunk memory() {
      return chunk.memory();
    }

    @Override
    public long offset() {
      return (long) firstPage * pageBytes;
    }
  }

  /** An element of a subpage. */
  record Element(PooledSubpage subpage, int index, int pageBytes) implements Piece {

    @Override
    public NettyChunk memory() {
      return subpage.chunk().memory();
    }

    @Override
    public long offset() {
      return (long) subpage.firstPage() * pageBytes + (long) index * subpage.elementBytes();
    }

    @Override
    public int bytes() {
      return subpage.elementBytes();
    }
  }

  private final PooledSizes sizes;
  private final NettyChunks chunks;
  private final String owner;

  /** The subpages with a free element by their class, the newest first. */
  private final List<SequencedSet<PooledSubpage>> subpages = new ArrayList<>();

  /** The shelves in the order in which requests search them. */
  private final List<ChunkShelf> searched;

  private final ChunkShelf newChunks;

  /** All shelves by their index. */
  private final List<ChunkShelf> shelves;

  private int threadCount;

  PooledArena(PooledSizes sizes, NettyChunks chunks, int index) {
    this.sizes = sizes;
    this.chunks = chunks;
    owner = "arena " + index;
    for (int i = 0; i < sizes.smallCount(); i++) {
      subpages.add(new LinkedHashSet<>());
    }
    int bytes = sizes.chunkBytes();
    newChunks = new ChunkShelf(0, Integer.MIN_VALUE, 25, bytes);
    ChunkShelf from1 = new ChunkShelf(1, 1, 50, bytes);
    ChunkShelf from25 = new ChunkShelf(2, 25, 75, bytes);
    ChunkShelf from50 = new ChunkShelf(3, 50, 100, bytes);
    ChunkShelf from75 = new ChunkShelf(4, 75, 100, bytes);
    ChunkShelf full = new ChunkShelf(5, 100, Integer.MAX_VALUE, bytes);
    newChunks.link(Optional.of(newChunks), Optional.of(from1));
    from1.link(Optional.empty(), Optional.of(from25));
    from25.link(Optional.of(from1), Optional.of(from50));
    from50.link(Optional.of(from25), Optional.of(full));
    from75.link(Optional.of(from50), Optional.of(full));
    full.link(Optional.of(from75), Optional.empty());
    shelves = List.of(newChunks, from1, from25, from50, from75, full);
    searched = List.of(from50, from25, from1, newChunks, from75);
  }

  int threadCount() {
    return threadCount;
  }

  void addThread() {
    threadCount++;
  }

  /**
   * {@return memory for a buffer}
   *
   * @param sizeClass the class of its bytes
   */
  Piece take(int sizeClass) {
    if (sizeClass < sizes.smallCount() && !subpages.get(sizeClass).isEmpty()) {
      return element(subpages.get(sizeClass).getFirst());
    }
    for (ChunkShelf shelf : searched) {
      if (shelf.mayHold(sizes.bytes(sizeClass))) {
        for (PooledChunk chunk : shelf.chunks()) {
          Optional<Piece> piece = takeFrom(chunk, sizeClass);
          if (piece.isPresent()) {
            shelf.taken(chunk);
            return piece.get();
          }
        }
      }
    }
    PooledChunk chunk = new PooledChunk(chunks.add(sizes.chunkBytes(), owner), sizes);
    Piece piece = takeFrom(chunk, sizeClass).orElseThrow();
    newChunks.add(chunk);
    return piece;
  }

  private Optional<Piece> takeFrom(PooledChunk chunk, int sizeClass) {
    boolean isSmall = sizeClass < sizes.smallCount();
    int bytes = isSmall ? sizes.sharedRunBytes(sizeClass) : sizes.bytes(sizeClass);
    int firstPage = chunk.takeRun(bytes);
    if (firstPage == PooledChunk.NONE) {
      return Optional.empty();
    }
    if (!isSmall) {
      return Optional.of(new Run(chunk, firstPage, bytes, sizes.pageBytes()));
    }
    PooledSubpage subpage =
        new PooledSubpage(
            chunk, firstPage, bytes / sizes.pageBytes(), bytes, sizeClass, sizes.bytes(sizeClass));
    subpages.get(sizeClass).addFirst(subpage);
    return Optional.of(element(subpage));
  }

  private Piece element(PooledSubpage subpage) {
    int index = subpage.take();
    if (subpage.isFull()) {
      subpages.get(subpage.sizeClass()).remove(subpage);
    }
    return new Element(subpage, index, sizes.pageBytes());
  }

  void free(Piece piece) {
    switch (piece) {
      case Run run -> free(run.chunk(), run.firstPage(), run.bytes() / run.pageBytes());
      case Element element -> {
        PooledSubpage subpage = element.subpage();
        SequencedSet<PooledSubpage> withFree = subpages.get(subpage.sizeClass());
        boolean wasFull = subpage.isFull();
        subpage.release(element.index());
        if (wasFull) {
          withFree.addFirst(subpage);
        }
        // One subpage of each class stays.
        if (subpage.isUnused() && withFree.size() > 1) {
          withFree.remove(subpage);
          free(subpage.chunk(), subpage.firstPage(), subpage.pages());
        }
      }
    }
  }

  private void free(PooledChunk chunk, int firstPage, int pages) {
    chunk.freeRun(firstPage, pages);
    if (!shelves.get(chunk.shelf()).freed(chunk)) {
      chunks.remove(chunk.memory());
    }
  }
}
