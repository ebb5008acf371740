package dev.stowage.trace.netty;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The magazines for buffers of one size class, or for all large buffers. */
final class MagazineGroup<C extends AdaptiveChunk> {

  /** The number of times that a request that finds no memory doubles the magazines. */
  private static final int EXPANSIONS = 3;

  private final ChunkSizes<C> sizes;
  private final ChunkReuse<C> reuse;
  private final int mostMagazines;
  private List<Magazine<C>> magazines;

  /**
   * @param mostMagazines the number of magazines that a group of all threads may have
   */
  MagazineGroup(ChunkSizes<C> sizes, ChunkReuse<C> reuse, int mostMagazines) {
    this.sizes = sizes;
    this.reuse = reuse;
    this.mostMagazines = mostMagazines;
    magazines = newMagazines(1);
  }

  private List<Magazine<C>> newMagazines(int count) {
    List<Magazine<C>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new Magazine<>(sizes, reuse));
    }
    return all;
  }

  /** {@return a buffer; empty if no magazine finds contiguous memory} */
  Optional<NettyBuffer> allocate(int bytes, long thread) {
    for (int expansion = 0; expansion <= EXPANSIONS; expansion++) {
      if (expansion > 0) {
        expand();
      }
      int mask = magazines.size() - 1;
      for (int i = 0; i < 2 * magazines.size(); i++) {
        Optional<NettyBuffer> buffer = magazines.get((int) (thread + i) & mask).allocate(bytes);
        if (buffer.isPresent()) {
          return buffer;
        }
      }
    }
    return Optional.empty();
  }

  private void expand() {
    if (magazines.size() < mostMagazines) {
      List<Magazine<C>> before = magazines;
      magazines = newMagazines(2 * before.size());
      before.forEach(Magazine::close);
    }
  }
}
