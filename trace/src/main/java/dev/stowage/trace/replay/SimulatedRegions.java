package dev.stowage.trace.replay;

import dev.stowage.allocator.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A sub-allocator without memory. Its regions have the addresses of a recording, or ascending ones
 * that are not reused.
 */
public final class SimulatedRegions implements SubAllocator {

  private static final long FAR = 1L << 60;

  /** The start of each region, including regions that were freed. */
  private final List<Long> starts = new ArrayList<>();

  /** The index of the region at each start. */
  private final TreeMap<Long, Integer> indices = new TreeMap<>();

  /** The ends of the regions of a recording, by their starts. */
  private final TreeMap<Long, Long> recordedEnds = new TreeMap<>();

  private final boolean canLengthen;
  private boolean isRefusing;
  private long proposedAddress;
  private long proposedBytes;
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
    if (isRefusing || bytes > Long.MAX_VALUE - end) {
      return OptionalLong.empty();
    }
    calls++;
    if (bytes == proposedBytes && isVacant(proposedAddress, bytes)) {
      proposedBytes = 0;
      // Other regions lie far above the regions of a recording.
      end = Math.max(end, FAR);
      add(proposedAddress);
      recordedEnds.put(proposedAddress, proposedAddress + bytes);
      return OptionalLong.of(proposedAddress);
    }
    long start = end;
    if (starts.isEmpty() || starts.getLast() != start) {
      add(start);
    }
    end += bytes;
    return OptionalLong.of(start);
  }

  private boolean isVacant(long address, long bytes) {
    Map.Entry<Long, Long> below = recordedEnds.lowerEntry(address + bytes);
    return address + bytes <= FAR
        && (end == 0 || end >= FAR)
        && (below == null || below.getValue() <= address);
  }

  private void add(long start) {
    indices.put(start, starts.size());
    starts.add(start);
  }

  /** Proposes the address of the next region, if it has as many bytes. */
  void propose(long address, long bytes) {
    proposedAddress = address;
    proposedBytes = bytes;
  }

  /**
   * Sets whether all memory is refused, as by a device that other programs have filled.
   *
   * @param refuses true if it is
   */
  void setRefusing(boolean refuses) {
    isRefusing = refuses;
  }

  /** Forgets the regions, which the allocator replaces by one at the address of the first one. */
  void restart(long bytes) {
    propose(starts.getFirst(), bytes);
    starts.clear();
    indices.clear();
    recordedEnds.clear();
  }

  @Override
  public void free(long address, long bytes) {
    calls++;
    if (starts.size() == 1) {
      // The address of the only region is reused.
      end = address;
    }
  }

  /** Moves the end of the last region, or of a recorded one; others cannot be resized. */
  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (recordedEnds.replace(address, address + bytes, address + newBytes)) {
      calls++;
      return true;
    }
    if (isRefusing
        || !canLengthen
        || address + bytes != end
        || newBytes > Long.MAX_VALUE - address) {
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
    Map.Entry<Long, Integer> below = indices.floorEntry(address);
    return below == null ? -1 : below.getValue();
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
