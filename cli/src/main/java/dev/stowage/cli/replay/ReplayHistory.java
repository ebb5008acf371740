package dev.stowage.cli.replay;

import java.util.List;

/**
 * The history of an allocator, with the data that a picture shows.
 *
 * @param eventCount the number of events, which are counted from 1
 * @param peakEvent the first event after which the most bytes were in use; 0 if none were
 * @param chunks the chunks with the largest areas, by their first events
 * @param skippedChunks the number of other chunks
 * @param skippedShare the share of the other chunks in the area of all, from 0 to 1
 * @param failures the first requests that failed
 * @param regions all regions, by ascending address
 * @param reservedBytes the bytes reserved from the device
 * @param bytesInUse the bytes of chunks in use
 * @param requestedBytes the requested bytes of chunks in use
 * @param fragmentation the external fragmentation, in hundredths of a percent
 */
public record ReplayHistory(
    long eventCount,
    long peakEvent,
    List<PlacedChunk> chunks,
    long skippedChunks,
    double skippedShare,
    List<FailedRequest> failures,
    List<RegionExtent> regions,
    StepCurve reservedBytes,
    StepCurve bytesInUse,
    StepCurve requestedBytes,
    StepCurve fragmentation) {

  /** Creates a history. */
  public ReplayHistory {
    chunks = List.copyOf(chunks);
    failures = List.copyOf(failures);
    regions = List.copyOf(regions);
  }
}
