package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The simulated device of PyTorch's allocator: it provides segments, counts bytes and calls, and
 * refuses memory beyond its limit.
 *
 * <p>A segment gets the address of the recording if the recording has the same segment at the same
 * time. The addresses of other segments follow an {@link AddressOrder}.
 */
final class SegmentSource {

  /** The addresses of an expandable segment on a device of unknown size. */
  private static final long LARGEST_SPAN = 1L << 44;

  private final OptionalLong limitBytes;
  private final NavigableSet<Long> recordedStarts;
  private final TreeMap<Long, Segment> segments = new TreeMap<>();
  private List<SimulatedAllocator.Region> regions = List.of();
  private boolean hasCurrentRegions = true;
  private final ChangedRegions<Segment> changed = new ChangedRegions<>();
  private int segmentCount;
  private final AddressOrder.Addresses addresses;
  private long proposedAddress;
  private long proposedBytes;
  private long heldBytes;
  private long peakHeldBytes;
  private long calls;

  /**
   * @param limitBytes the memory of the device; empty for any amount
   * @param recordedStarts the addresses at which recorded segments start
   * @param addresses the addresses of segments that the recording does not have
   */
  SegmentSource(
      OptionalLong limitBytes,
      NavigableSet<Long> recordedStarts,
      AddressOrder.Addresses addresses) {
    this.limitBytes = limitBytes;
    this.recordedStarts = recordedStarts;
    this.addresses = addresses;
  }

  /** Proposes the address of a recorded segment for the next one with the same bytes. */
  void propose(long address, long bytes) {
    proposedAddress = address;
    proposedBytes = bytes;
  }

  /** Forgets the proposed address. */
  void clearProposal() {
    proposedBytes = 0;
  }

  /** Adds a segment at a recorded address, which no limit refuses. */
  Segment addHeld(long address, long spanBytes, long pageBytes) {
    Segment segment = new Segment(segmentCount++, address, spanBytes, pageBytes);
    segments.put(address, segment);
    return segment;
  }

  /** {@return a segment with memory, or null if the device has too little} */
  @Nullable Segment allocate(long bytes) {
    if (!has(bytes)) {
      return null;
    }
    Segment segment = add(bytes, 0, bytes);
    hold(segment, bytes);
    calls++;
    return segment;
  }

  /**
   * {@return an expandable segment without memory, for some bytes or more}
   *
   * @param reserveBytes the bytes of its addresses; empty for the default
   */
  Segment reserve(long pageBytes, long bytes, OptionalLong reserveBytes) {
    long span = limitBytes.orElse(LARGEST_SPAN);
    if (limitBytes.isPresent()) {
      // PyTorch reserves the addresses of 9/8 of the memory.
      span = Math.min(span, LARGEST_SPAN) / 8 * 9 + pageBytes;
    }
    if (reserveBytes.isPresent()) {
      span = Math.min(span, reserveBytes.getAsLong() + pageBytes - 1);
    }
    return add(
        Math.max(wholePages(span, pageBytes), wholePages(bytes + pageBytes - 1, pageBytes)),
        pageBytes,
        bytes);
  }

  private Segment add(long spanBytes, long pageBytes, long leastBytes) {
    long proposed = spanFrom(proposedAddress, spanBytes, pageBytes);
    boolean isRecorded =
        (pageBytes > 0
                ? proposedBytes >= pageBytes && proposed >= leastBytes
                : proposedBytes == leastBytes)
            && isVacant(proposedAddress, pageBytes > 0 ? pageBytes : leastBytes);
    clearProposal();
    if (isRecorded) {
      return addHeld(proposedAddress, proposed, pageBytes);
    }
    // The addresses of an expandable segment are many, and the order of such segments is the same
    // in all runs: PyTorch looks for the lowest range first.
    Segment segment =
        addHeld(
            pageBytes > 0 ? addresses.nextAbove(spanBytes) : addresses.next(spanBytes),
            spanBytes,
            pageBytes);
    segment.isRecorded = false;
    return segment;
  }

  /**
   * {@return the start of the recorded segment of an expandable range, which lies whole pages below
   * the range if the first pages of the segment get memory later}
   */
  long startOf(long address, long pageBytes) {
    Long start = recordedStarts.floor(address);
    return start != null
            && (address - start) % pageBytes == 0
            && isVacant(start, address - start + pageBytes)
        ? start
        : address;
  }

  /** {@return the addresses of a segment, which end before the next recorded segment} */
  long spanFrom(long address, long spanBytes, long pageBytes) {
    Long next = recordedStarts.higher(address);
    return pageBytes == 0 || next == null || next - address >= spanBytes
        ? spanBytes
        : Math.max(1, (next - address) / pageBytes) * pageBytes;
  }

  private boolean isVacant(long address, long bytes) {
    Map.Entry<Long, Segment> below = segments.lowerEntry(address + bytes);
    return below == null || below.getKey() + below.getValue().spanBytes <= address;
  }

  /** Maps memory into an expandable segment and {@return true if the device had enough} */
  boolean map(Segment segment, long bytes) {
    if (!has(bytes)) {
      return false;
    }
    hold(segment, bytes);
    calls++;
    return true;
  }

  /** Counts memory of a segment. */
  void hold(Segment segment, long bytes) {
    segment.heldBytes += bytes;
    heldBytes += bytes;
    peakHeldBytes = Math.max(peakHeldBytes, heldBytes);
    changed(segment);
  }

  /** Takes memory back from an expandable segment. */
  void unmap(Segment segment, long bytes) {
    segment.heldBytes -= bytes;
    heldBytes -= bytes;
    calls++;
    changed(segment);
  }

  private void changed(Segment segment) {
    hasCurrentRegions = false;
    changed.add(segment);
  }

  /** Takes a segment back. */
  void free(Segment segment) {
    if (!segment.isExpandable()) {
      unmap(segment, segment.heldBytes);
    }
    segments.remove(segment.address);
    if (!segment.isRecorded) {
      addresses.free(segment.address);
    }
  }

  private static long wholePages(long bytes, long pageBytes) {
    return bytes / pageBytes * pageBytes;
  }

  private boolean has(long bytes) {
    return bytes <= limitBytes.orElse(Long.MAX_VALUE) - heldBytes;
  }

  /** Counts calls and the peak from now on. */
  void resetCounts() {
    peakHeldBytes = heldBytes;
    calls = 0;
  }

  long heldBytes() {
    return heldBytes;
  }

  long peakHeldBytes() {
    return peakHeldBytes;
  }

  long calls() {
    return calls;
  }

  OptionalLong limitBytes() {
    return limitBytes;
  }

  /** {@return the segments, by ascending address; expandable ones may have no memory} */
  Collection<Segment> segments() {
    return segments.values();
  }

  /** {@return the segment that starts at an address, if there is one} */
  Collection<Segment> segmentsAt(long address) {
    return segments.subMap(address, true, address, true).values();
  }

  /** {@return the segments with memory, by ascending address} */
  List<SimulatedAllocator.Region> regions() {
    if (!hasCurrentRegions) {
      List<SimulatedAllocator.Region> current = new ArrayList<>();
      for (Segment segment : segments.values()) {
        if (segment.heldBytes > 0) {
          current.add(segment.region());
        }
      }
      regions = List.copyOf(current);
      hasCurrentRegions = true;
    }
    return regions;
  }

  /**
   * {@return the segments that changed since the last call, or all; 0 bytes if one has no memory}
   */
  List<SimulatedAllocator.Region> changedRegions() {
    return changed.take(segments.values(), Segment::region);
  }
}
