package dev.stowage.cli.replay;

import java.util.List;

/**
 * What an allocator did, event by event, as far as a picture can show it.
 *
 * @param eventCount how many events there were, which are counted from 1
 * @param peakEvent the first event behind which the most bytes were in use; 0 if none ever were
 * @param chunks those of the largest areas, by their first events
 * @param leftOutChunks how many there were beside
 * @param leftOutShare these chunks' share of the area of all, from 0 to 1
 * @param failures the first requests that failed
 * @param regions all that ever were, by ascending address
 * @param reservedBytes what was held from the device
 * @param bytesInUse what chunks in use took
 * @param requestedBytes what was asked for in these
 * @param fragmentation the external one, in hundredths of a percent
 */
public record ReplayHistory(
    long eventCount,
    long peakEvent,
    List<PlacedChunk> chunks,
    long leftOutChunks,
    double leftOutShare,
    List<FailedRequest> failures,
    List<RegionExtent> regions,
    StepCurve reservedBytes,
    StepCurve bytesInUse,
    StepCurve requestedBytes,
    StepCurve fragmentation) {

  /** A history. */
  public ReplayHistory {
    chunks = List.copyOf(chunks);
    failures = List.copyOf(failures);
    regions = List.copyOf(regions);
  }
}
