package dev.stowage.trace.netty;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** A chunk of the pooled allocator, which is cut into runs of pages. */
final class PooledChunk {

  /** The answer if no run is long enough. */
  static final int NONE = -1;

  private final NettyChunk memory;
  private final PooledSizes sizes;

  /** The first pages of the free runs by their class. */
  private final List<TreeSet<Integer>> freeByClass = new ArrayList<>();

  /** The pages of the free runs by their first page. */
  private final TreeMap<Integer, Integer> freeRuns = new TreeMap<>();

  private int freeBytes;

  /** The index of the shelf that has this chunk. */
  private int shelf;

  PooledChunk(NettyChunk memory, PooledSizes sizes) {
    this.memory = memory;
    this.sizes = sizes;
    for (int i = 0; i < sizes.runClassCount(); i++) {
      freeByClass.add(new TreeSet<>());
    }
    freeBytes = sizes.chunkBytes();
    addFree(0, sizes.chunkBytes() / sizes.pageBytes());
  }

  NettyChunk memory() {
    return memory;
  }

  int freeBytes() {
    return freeBytes;
  }

  int shelf() {
    return shelf;
  }

  void putOn(int other) {
    shelf = other;
  }

  /** {@return the first page of a run that is in use from now on, or {@link #NONE}} */
  int takeRun(int bytes) {
    int pages = bytes / sizes.pageBytes();
    for (int i = sizes.runClassFor(pages); i < freeByClass.size(); i++) {
      if (!freeByClass.get(i).isEmpty()) {
        int first = freeByClass.get(i).first();
        int all = freeRuns.getOrDefault(first, 0);
        removeFree(first, all);
        if (all > pages) {
          addFree(first + pages, all - pages);
        }
        freeBytes -= bytes;
        return first;
      }
    }
    return NONE;
  }

  void freeRun(int firstPage, int pages) {
    int first = firstPage;
    int end = firstPage + pages;
    Map.Entry<Integer, Integer> before = freeRuns.lowerEntry(first);
    if (before != null && before.getKey() + before.getValue() == first) {
      first = before.getKey();
      removeFree(first, before.getValue());
    }
    int after = freeRuns.getOrDefault(end, 0);
    if (after > 0) {
      removeFree(end, after);
      end += after;
    }
    addFree(first, end - first);
    freeBytes += pages * sizes.pageBytes();
  }

  private void addFree(int firstPage, int pages) {
    freeRuns.put(firstPage, pages);
    freeByClass.get(sizes.runClassOf(pages)).add(firstPage);
  }

  private void removeFree(int firstPage, int pages) {
    freeRuns.remove(firstPage);
    freeByClass.get(sizes.runClassOf(pages)).remove(firstPage);
  }
}
