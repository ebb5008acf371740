package dev.stowage.trace.replay;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Free ranges of regions. Neighbours in the same region are one range. */
final class MergedRanges {

  /** A range of a region. */
  record Range(long address, long bytes, int region) {

    long end() {
      return address + bytes;
    }
  }

  private final TreeMap<Long, Range> byAddress = new TreeMap<>();
  private final TreeSet<Range> bySize =
      new TreeSet<>(Comparator.comparingLong(Range::bytes).thenComparingLong(Range::address));

  /** Adds a range and merges it with its neighbours. */
  void add(Range range) {
    Range merged = range;
    Map.Entry<Long, Range> below = byAddress.lowerEntry(range.address());
    if (below != null
        && below.getValue().end() == range.address()
        && below.getValue().region() == range.region()) {
      remove(below.getValue());
      merged = new Range(below.getKey(), below.getValue().bytes() + range.bytes(), range.region());
    }
    Range above = byAddress.get(range.end());
    if (above != null && above.region() == range.region()) {
      remove(above);
      merged = new Range(merged.address(), merged.bytes() + above.bytes(), range.region());
    }
    byAddress.put(merged.address(), merged);
    bySize.add(merged);
  }

  void addAll(MergedRanges other) {
    other.byAddress.values().forEach(this::add);
  }

  /** {@return the ranges by ascending address} */
  Collection<Range> all() {
    return byAddress.values();
  }

  private void remove(Range range) {
    byAddress.remove(range.address());
    bySize.remove(range);
  }

  /** Removes the smallest range of at least some bytes, at the lowest address, and returns it. */
  @Nullable Range takeSmallest(long bytes) {
    Range range = bySize.ceiling(new Range(Long.MIN_VALUE, bytes, 0));
    if (range != null) {
      remove(range);
    }
    return range;
  }

  long largestBytes() {
    return bySize.isEmpty() ? 0 : bySize.last().bytes();
  }
}
