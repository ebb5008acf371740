package dev.stowage.trace.format;

import java.util.List;
import java.util.OptionalLong;

/**
 * The memory of a recorded allocator before the first event of a trace.
 *
 * @param regions the regions, by ascending address
 * @param limitBytes the most bytes that the allocator may hold, if the recording has it
 * @param nextRegionBytes the least bytes of the next region, if the recording has it
 * @param doubts the reasons why the memory or the request after it is not exact, as sentences
 */
public record RecordedMemory(
    List<Region> regions,
    OptionalLong limitBytes,
    OptionalLong nextRegionBytes,
    List<String> doubts) {

  /** Creates a memory. */
  public RecordedMemory {
    regions = List.copyOf(regions);
    doubts = List.copyOf(doubts);
  }

  /** {@return the chunks in use, by ascending address} */
  public List<Chunk> chunks() {
    return regions.stream().flatMap(region -> region.chunks().stream()).toList();
  }

  /** {@return the bytes of all regions} */
  public long bytes() {
    return regions.stream().mapToLong(Region::bytes).sum();
  }

  /** {@return the bytes of the chunks in use} */
  public long bytesInUse() {
    return chunks().stream().mapToLong(Chunk::bytes).sum();
  }

  /**
   * A region that the allocator got from its device. The bytes between its chunks are free.
   *
   * @param address its address, a multiple of 256
   * @param bytes its size, a multiple of 256
   * @param chunks its chunks in use, by ascending address
   */
  public record Region(long address, long bytes, List<Chunk> chunks) {

    /** Creates a region. */
    public Region {
      chunks = List.copyOf(chunks);
    }
  }

  /**
   * A chunk in use.
   *
   * @param address its address, a multiple of 256
   * @param bytes its size, a multiple of 256
   * @param tag the purpose of the memory; empty if the recording does not have it
   */
  public record Chunk(long address, long bytes, String tag) {}
}
