package dev.stowage.cli.replay;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The history of an allocator, with the data that a picture shows.
 *
 * @param eventCount the number of recorded events, which are counted from 1; event 0 is the moment
 *     before the first one
 * @param olderCount the number of blocks that are older than the recording
 * @param peaks the events after which the most requested bytes were in use, in ranges; the first
 *     1,000 of them, none if no byte was ever in use
 * @param chunks the chunks to draw, by their first events: those that are live at the first peak,
 *     the largest ones, and those with the largest areas
 * @param skippedChunks the number of other chunks
 * @param failures the first requests that failed
 * @param regions all regions, by ascending address
 * @param curves the use of memory
 * @param times the time of each event, in the unit of the trace; empty if the trace has no times or
 *     if they are not in order
 */
public record ReplayHistory(
    long eventCount,
    long olderCount,
    List<EventRange> peaks,
    List<PlacedChunk> chunks,
    long skippedChunks,
    List<RequestFailure> failures,
    List<RegionExtent> regions,
    Curves curves,
    Optional<StepCurve> times) {

  /** Creates a history. */
  public ReplayHistory {
    peaks = List.copyOf(peaks);
    chunks = List.copyOf(chunks);
    failures = List.copyOf(failures);
    regions = List.copyOf(regions);
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
}
