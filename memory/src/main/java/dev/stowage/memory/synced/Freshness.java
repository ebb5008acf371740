package dev.stowage.memory.synced;

import java.util.List;

/** The stale ranges of one side of a buffer. */
final class Freshness {

  private final long bufferBytes;
  private final ByteRanges stale = new ByteRanges();
  private boolean current;

  /** Creates a side without contents. */
  Freshness(long bufferBytes) {
    this.bufferBytes = bufferBytes;
    stale.add(0, bufferBytes);
  }

  /** {@return true if the side has the latest contents} */
  boolean isCurrent() {
    return current;
  }

  /** {@return the ranges to copy before the side is current} */
  List<ByteRanges.ByteRange> stale() {
    return stale.list();
  }

  void becomeCurrent() {
    current = true;
    stale.clear();
  }

  /** Records a write to another side, in a range that can be empty. */
  void outdate(long offset, long bytes) {
    current = false;
    stale.add(offset, bytes);
  }

  void outdateAll() {
    outdate(0, bufferBytes);
  }
}
