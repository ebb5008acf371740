package dev.stowage.allocator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The regions held from the sub-allocator, by ascending address. */
final class RegionManager {

  private final List<AllocationRegion> regions = new ArrayList<>();
  private long bytes;

  /** {@return a copy of the regions} */
  RegionManager copy() {
    RegionManager copy = new RegionManager();
    for (AllocationRegion region : regions) {
      copy.regions.add(region.copy());
    }
    copy.bytes = bytes;
    return copy;
  }

  void add(AllocationRegion region) {
    regions.add(-position(region.address()) - 1, region);
    bytes += region.bytes();
  }

  void remove(AllocationRegion region) {
    regions.remove(position(region.address()));
    bytes -= region.bytes();
  }

  /** Changes the size of a region. */
  void resize(AllocationRegion region, long newBytes) {
    bytes += newBytes - region.bytes();
    region.setBytes(newBytes);
  }

  /** {@return the bytes of all regions together} */
  long bytes() {
    return bytes;
  }

  /** {@return the regions by ascending address} */
  List<AllocationRegion> regions() {
    return Collections.unmodifiableList(regions);
  }

  /** {@return the region that contains an address} */
  Optional<AllocationRegion> find(long address) {
    int position = position(address);
    int candidate = position >= 0 ? position : -position - 2;
    return candidate >= 0 && regions.get(candidate).contains(address)
        ? Optional.of(regions.get(candidate))
        : Optional.empty();
  }

  /** {@return a region that overlaps a range of at least one byte} */
  Optional<AllocationRegion> overlapped(long address, long rangeBytes) {
    Optional<AllocationRegion> below = find(address);
    if (below.isPresent()) {
      return below;
    }
    int next = -position(address) - 1;
    return next < regions.size() && regions.get(next).address() - address < rangeBytes
        ? Optional.of(regions.get(next))
        : Optional.empty();
  }

  /** {@return the index of the region at an address, or {@code -(insertion point) - 1}} */
  private int position(long address) {
    int low = 0;
    int high = regions.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (regions.get(middle).address() < address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < regions.size() && regions.get(low).address() == address ? low : -low - 1;
  }
}
