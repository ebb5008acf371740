package dev.stowage.core.trace;

import dev.stowage.core.bfc.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A device without memory. Its regions have ascending addresses, which do not come twice. */
final class SimulatedDevice implements SubAllocator {

  /** The start of each region, also of those that went back. */
  private final List<Long> starts = new ArrayList<>();

  private final boolean lengthens;
  private long end;

  /**
   * @param lengthens true if the last region can become longer
   */
  SimulatedDevice(boolean lengthens) {
    this.lengthens = lengthens;
  }

  @Override
  public boolean lengthens() {
    return lengthens;
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
      // The only region may come again.
      end = address;
    }
  }

  /** Moves the end of the last region. There is no room above the others. */
  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (!lengthens || address + bytes != end || newBytes > Long.MAX_VALUE - address) {
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
