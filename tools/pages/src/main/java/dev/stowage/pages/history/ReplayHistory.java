package dev.stowage.pages.history;

import dev.stowage.trace.format.AllocationEvent;
import java.util.List;

/**
 * The history of an allocator, with the data that a picture shows.
 *
 * @param events the recorded events
 * @param drawn the chunks to draw
 * @param failures the first requests that failed
 * @param regions all regions, by ascending address
 * @param curves the use of memory
 * @param parts the reserved memory by reason
 */
public record ReplayHistory(
    Events events,
    Drawn drawn,
    List<RequestFailure> failures,
    List<RegionExtent> regions,
    Curves curves,
    Steps<PartsAt> parts) {

  public ReplayHistory {
    failures = List.copyOf(failures);
    regions = List.copyOf(regions);
  }

  /**
   * The recorded events, which are counted from 1; event 0 is the moment before the first one.
   *
   * @param count the number of events
   * @param olderCount the number of blocks that are older than the recording
   */
  public record Events(long count, long olderCount) {}

  /**
   * The chunks to draw: all that are live at the first peak, and the chunks with the largest areas.
   *
   * @param chunks the chunks, by their first events
   * @param skippedCount the number of other chunks
   */
  public record Drawn(List<PlacedChunk> chunks, long skippedCount) {

    public Drawn {
      chunks = List.copyOf(chunks);
    }
  }

  /**
   * The use of memory after each event.
   *
   * @param reservedBytes the bytes reserved from the device
   * @param bytesInUse the bytes of chunks in use
   * @param requestedBytes the requested bytes of chunks in use
   */
  public record Curves(
      Steps<Long> reservedBytes, Steps<Long> bytesInUse, Steps<Long> requestedBytes) {}

  /**
   * The size of a region over the events.
   *
   * @param index the index of the region, in the order of addresses
   * @param owner the stream and pool that hold it, such as {@code stream 0, large blocks}; {@code
   *     by stream} if each stream has free blocks of its own, empty if all streams share them
   * @param pageBytes the bytes of the pages that the allocator can return one by one; 0 if it
   *     returns only the whole region
   * @param bytes the size, 0 when the region is not reserved
   */
  public record RegionExtent(int index, String owner, long pageBytes, Steps<Long> bytes) {}

  /**
   * A request that failed.
   *
   * @param event the number of the event, from 1
   */
  public record RequestFailure(AllocationEvent.Allocate request, long event) {}
}
