package dev.stowage.trace.netty;

import java.util.BitSet;

/** A run of pages that small buffers of one size class share. */
final class PooledSubpage {

  private final PooledChunk chunk;
  private final int firstPage;
  private final int pages;
  private final int sizeClass;
  private final int elementBytes;
  private final int elements;
  private final BitSet used = new BitSet();

  /**
   * @param bytes the bytes of the run
   * @param elementBytes the bytes of a buffer
   */
  PooledSubpage(
      PooledChunk chunk, int firstPage, int pages, int bytes, int sizeClass, int elementBytes) {
    this.chunk = chunk;
    this.firstPage = firstPage;
    this.pages = pages;
    this.sizeClass = sizeClass;
    this.elementBytes = elementBytes;
    elements = bytes / elementBytes;
  }

  PooledChunk chunk() {
    return chunk;
  }

  int firstPage() {
    return firstPage;
  }

  int pages() {
    return pages;
  }

  int sizeClass() {
    return sizeClass;
  }

  int elementBytes() {
    return elementBytes;
  }

  /** {@return the index of an element that is in use from now on} */
  int take() {
    int element = used.nextClearBit(0);
    used.set(element);
    return element;
  }

  void release(int element) {
    used.clear(element);
  }

  boolean isFull() {
    return used.cardinality() == elements;
  }

  boolean isUnused() {
    return used.isEmpty();
  }
}
