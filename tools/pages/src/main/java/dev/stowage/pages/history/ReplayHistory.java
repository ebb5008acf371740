package dev.stowage.pages.history;

import dev.stowage.trace.format.AllocationEvent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The history of an allocator, with the data that a picture shows.
 *
 * @param events the recorded events
 * @param peaks the events after which the most requested bytes were in use, in ranges; the first
 *     1,000 of them, none if no byte was ever in use
 * @param drawn the chunks to draw
 * @param failures the first requests that failed
 * @param regions all regions, by ascending address
 * @param curves the use of memory
 * @param parts the reserved memory by reason
 */
public record ReplayHistory(
    Events events,
    List<EventRange> peaks,
    Drawn drawn,
    List<RequestFailure> failures,
    List<RegionExtent> regions,
    Curves curves,
    PartColumns parts) {

  public ReplayHistory {
    peaks = List.copyOf(peaks);
    failures = List.copyOf(failures);
    regions = List.copyOf(regions);
  }

  /**
   * The recorded events, which are counted from 1; event 0 is the moment before the first one.
   *
   * @param count the number of events
   * @param olderCount the number of blocks that are older than the recording
   * @param times the time of each event, in the unit of the trace; empty if the trace has no times
   *     or if they are not in order
   */
  public record Events(long count, long olderCount, Optional<StepCurve> times) {}

  /**
   * The chunks to draw: those that are live at the first peak, the largest ones, and those with the
   * largest areas.
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
   * @param fragmentation the external fragmentation, in hundredths of a percent
   * @param liveChunks the number of chunks in use
   */
  public record Curves(
      StepCurve reservedBytes,
      StepCurve bytesInUse,
      StepCurve requestedBytes,
      StepCurve fragmentation,
      StepCurve liveChunks) {

    /** {@return the number of events in a group of the longest curve; 1 if all steps are kept} */
    public long groupEvents() {
      return Stream.of(reservedBytes, bytesInUse, requestedBytes, fragmentation, liveChunks)
          .mapToLong(StepCurve::groupEvents)
          .max()
          .orElseThrow();
    }
  }

  /**
   * Successive events.
   *
   * @param lastEvent the last event, inclusive
   */
  public record EventRange(long firstEvent, long lastEvent) {}

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
  public record RegionExtent(int index, String owner, long pageBytes, StepCurve bytes) {}

  /**
   * A request that failed.
   *
   * @param event the number of the event, from 1
   */
  public record RequestFailure(AllocationEvent.Allocate request, long event) {}
}
