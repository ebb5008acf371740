package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotSegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The addresses of the one region of an allocator, counted from its end. */
final class RegionMirror {

  /*
   * XLA's pools with two ends give memory for tensors from the high end, by the rules of the low one
   * with high and low exchanged: among equal chunks the highest, and of a chunk its last bytes. So the
   * result is the mirror image of best fit from the low end.
   */

  private long sum;

  /** The addresses of chunks in use, by their mirrored addresses. */
  private final Map<Long, Long> originals = new HashMap<>();

  /**
   * Creates a mirror.
   *
   * @param address the address of the region
   * @param bytes its size
   */
  RegionMirror(long address, long bytes) {
    sum = address + address + bytes;
  }

  /** Moves the end of the region up, and with it the addresses that are counted from the end. */
  void lengthen(long more) {
    sum += more;
    originals.replaceAll((_, address) -> address + more);
  }

  private long mirrored(long address, long bytes) {
    return sum - address - bytes;
  }

  /** {@return the mirrored address of a new chunk} */
  long allocated(long address, long bytes) {
    long mirrored = mirrored(address, bytes);
    originals.put(mirrored, address);
    return mirrored;
  }

  /** {@return the address of a chunk that is freed, by its mirrored address} */
  long freed(long mirrored) {
    Long address = originals.remove(mirrored);
    if (address == null) {
      throw new IllegalStateException("no chunk in use starts at " + mirrored);
    }
    return address;
  }

  /** {@return the address of a chunk in use, by its mirrored address} */
  long original(long mirrored) {
    Long address = originals.get(mirrored);
    if (address == null) {
      throw new IllegalStateException("no chunk in use starts at " + mirrored);
    }
    return address;
  }

  /** {@return ranges with mirrored addresses, in ascending order} */
  List<SimulatedAllocator.Range> ranges(List<SimulatedAllocator.Range> ranges) {
    return ranges.reversed().stream()
        .map(range ->
            new SimulatedAllocator.Range(
                range.region(),
                mirrored(range.address(), range.bytes()),
                range.bytes(),
                range.isInUse(),
                range.owner()))
        .toList();
  }

  /** {@return segments with mirrored blocks, in ascending order} */
  List<SnapshotSegment> segments(List<SnapshotSegment> segments) {
    List<SnapshotSegment> all = new ArrayList<>();
    for (SnapshotSegment segment : segments) {
      List<SnapshotBlock> blocks =
          segment.blocks().reversed().stream()
              .map(block ->
                  new SnapshotBlock(
                      mirrored(block.address(), block.bytes()),
                      block.bytes(),
                      block.requestedBytes(),
                      block.state(),
                      block.stack()))
              .toList();
      all.add(
          new SnapshotSegment(
              segment.address(),
              segment.bytes(),
              segment.lane(),
              segment.isExpandable(),
              segment.stack(),
              blocks));
    }
    return all;
  }
}
