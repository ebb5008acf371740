package dev.stowage.core.trace;

import dev.stowage.core.bfc.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A device without memory: its regions are at ascending addresses, none of which comes twice. */
final class SimulatedDevice implements SubAllocator {

  /** Where each region starts, given back or not. */
  private final List<Long> starts = new ArrayList<>();

  private final boolean lengthens;
  private long end;

  /**
   * @param lengthens whether the last region's end moves
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
      // The one region may come again.
      end = address;
    }
  }

  /** Moves the end of the last region; above the others is no room. */
  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (!lengthens || address + bytes != end || newBytes > Long.MAX_VALUE - address) {
      return false;
    }
    end = address + newBytes;
    return true;
  }

  /** {@return which region an address lies in, the first being 0} */
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

  /** {@return where a region starts} */
  long start(int regionIndex) {
    return starts.get(regionIndex);
  }
}
