package dev.stowage.trace.replay;

import java.util.HashSet;
import java.util.Set;

/** A segment of a recording while it exists, or all ranges of an expandable segment. */
final class Extent {

  final int index;
  final long stream;
  final boolean isSmall;
  final boolean isExpandable;

  /** The event that added it; -1 if it is older than the recording. */
  final int createdAt;

  /** The first event that released memory of it. */
  int releasedAt = Integer.MAX_VALUE;

  /** The start of the lowest range that had memory. */
  long start;

  /** The end of the highest range that had memory. */
  long top;

  long mappedBytes;

  /** The number of the pool, once it is known. */
  long pool = PoolNumber.DEFAULT;

  /** True if the snapshot has the pool, because the segment exists at the end. */
  boolean isAtEnd;

  /** The extents that are in another pool. */
  final Set<Extent> others = new HashSet<>();

  Extent(int index, int createdAt, long start, long stream, boolean isSmall, boolean isExpandable) {
    this.index = index;
    this.createdAt = createdAt;
    this.start = start;
    this.stream = stream;
    this.isSmall = isSmall;
    this.isExpandable = isExpandable;
    top = start;
  }

  /** Notes that two extents are in different pools. */
  void separateFrom(Extent other) {
    others.add(other);
    other.others.add(this);
  }

  /** {@return true if it is known to be in the default pool} */
  boolean isDefaultAtEnd() {
    return isAtEnd && pool == PoolNumber.DEFAULT;
  }

  /** {@return true if it is known to be in a private pool} */
  boolean isPrivateAtEnd() {
    return isAtEnd && pool != PoolNumber.DEFAULT;
  }
}
