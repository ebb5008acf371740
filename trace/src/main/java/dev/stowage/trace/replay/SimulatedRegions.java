package dev.stowage.trace.replay;

import dev.stowage.allocator.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A sub-allocator without memory, whose regions have ascending addresses that are not reused. */
public final class SimulatedRegions implements SubAllocator {

  /** The start of each region, including regions that were freed. */
  private final List<Long> starts = new ArrayList<>();

  private final boolean canLengthen;
  private long end;
  private long calls;

  /**
   * Creates a sub-allocator without regions.
   *
   * @param canLengthen true if the last region can be lengthened
   */
  public SimulatedRegions(boolean canLengthen) {
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
    calls++;
    long start = end;
    if (starts.isEmpty() || starts.getLast() != start) {
      starts.add(start);
    }
    end += bytes;
    return OptionalLong.of(start);
  }

  @Override
  public void free(long address, long bytes) {
    calls++;
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
    calls++;
    end = address + newBytes;
    return true;
  }

  /**
   * {@return the index of the region that contains an address, from 0}
   *
   * @param address the address
   */
  public int regionIndex(long address) {
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

  /**
   * {@return the address of a region}
   *
   * @param regionIndex the index of the region
   */
  public long start(int regionIndex) {
    return starts.get(regionIndex);
  }

  /** {@return the number of regions that were provided, taken back or resized} */
  long calls() {
    return calls;
  }
}
