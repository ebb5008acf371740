package dev.stowage.core.trace;

import dev.stowage.core.bfc.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A sub-allocator without memory, whose regions have ascending addresses that are not reused. */
final class SimulatedRegions implements SubAllocator {

  /** The start of each region, including regions that were freed. */
  private final List<Long> starts = new ArrayList<>();

  private final boolean canLengthen;
  private long end;

  /**
   * @param canLengthen true if the last region can be lengthened
   */
  SimulatedRegions(boolean canLengthen) {
    this.canLengthen = canLengthen;
  }

  @Override
  public boolean canLengthen() {
    return canLengthen;
  }

  @Override
  public OptionalLong allocate(long bytes) {
    if (bytes > Long.MAX_VALUE - end) {
      return OptionalLong.empty();
    }
    long start = end;
    if (starts.isEmpty() || starts.getLast() != start) {
      starts.add(start);
    }
    end += bytes;
    return OptionalLong.of(start);
  }

  @Override
  public void free(long address, long bytes) {
    if (starts.size() == 1) {
      // The address of the only region is reused.
      end = address;
    }
  }

  /** Moves the end of the last region; the others cannot be resized. */
  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (!canLengthen || address + bytes != end || newBytes > Long.MAX_VALUE - address) {
      return false;
    }
    end = address + newBytes;
    return true;
  }

  /** {@return the index of the region that contains an address, from 0} */
  int regionIndex(long address) {
    int low = 0;
    int high = starts.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (starts.get(middle) <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** {@return the address of a region} */
  long start(int regionIndex) {
    return starts.get(regionIndex);
  }
}
