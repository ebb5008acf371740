package dev.stowage.memory.synced;

import java.util.List;

/** How much of one copy of a buffer is what the buffer holds. */
final class Freshness {

  private final long bufferBytes;
  private final ByteRanges stale = new ByteRanges();
  private boolean current;

  /** Of a copy with nothing in it yet. */
  Freshness(long bufferBytes) {
    this.bufferBytes = bufferBytes;
    stale.add(0, bufferBytes);
  }

  /** {@return whether the copy is what the buffer holds, in whole} */
  boolean isCurrent() {
    return current;
  }

  /** {@return what has to be copied for it to be current} */
  List<ByteRanges.ByteRange> stale() {
    return stale.list();
  }

  void becomeCurrent() {
    current = true;
    stale.clear();
  }

  /** Notes that another copy was written, in a range that may be empty. */
  void outdate(long offset, long bytes) {
    current = false;
    stale.add(offset, bytes);
  }

  void outdateAll() {
    outdate(0, bufferBytes);
  }
}
