package dev.stowage.core.trace;

import dev.stowage.core.bfc.OutOfMemoryVerdict;
import java.util.List;
import java.util.Optional;

/**
 * What an allocator did with a trace.
 *
 * @param events how many there were
 * @param allocations how many requests, those that failed and those for no bytes included
 * @param frees how many frees, those of requests that failed included
 * @param failures how many requests failed
 * @param firstFailure the first of these, if there is one
 * @param peakRequestedBytes the most bytes asked for, and got, at any time
 * @param peakInUseBytes the most bytes in use at any time, rounding and unsplit rests included
 * @param reservedBytes what the allocator holds at the end
 * @param peakReservedBytes the most bytes held at any time
 * @param regionBytes the regions held at the end, by ascending address
 * @param externalFragmentation 1 − largest free chunk ÷ free bytes, when the peak of bytes in use
 *     was first reached
 * @param internalFragmentation 1 − requested ÷ chunk bytes, at the same time
 */
public record ReplayResult(
    long events,
    long allocations,
    long frees,
    long failures,
    Optional<Failure> firstFailure,
    long peakRequestedBytes,
    long peakInUseBytes,
    long reservedBytes,
    long peakReservedBytes,
    List<Long> regionBytes,
    double externalFragmentation,
    double internalFragmentation) {

  /**
   * A request that failed.
   *
   * @param event which event it was, the first being 1
   * @param id what it is called
   * @param verdict why it failed
   * @param reason why, with the numbers, and what would have helped at that point
   */
  public record Failure(long event, String id, OutOfMemoryVerdict verdict, String reason) {}

  /** A result. */
  public ReplayResult {
    regionBytes = List.copyOf(regionBytes);
  }
}
