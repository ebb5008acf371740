package dev.stowage.trace.replay;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.trace.format.AllocationEvent;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** The result of a replay. */
public final class ReplayResult {

  private final long allocations;
  private final long frees;
  private final long failures;
  private final RecordedFailures recorded;
  private final Optional<Failure> firstFailure;
  private final long peakRequestedBytes;
  private final long peakReservedBytes;
  private final long deviceCalls;
  private final long retries;
  private final MemoryUse atPeak;
  private final MemoryUse atEnd;
  private final List<Long> regionBytes;

  /**
   * @param atPeak the statistics of the allocator when the peak of bytes in use was first reached
   * @param atEnd its statistics at the end
   */
  ReplayResult(
      long allocations,
      long frees,
      long failures,
      RecordedFailures recorded,
      Optional<Failure> firstFailure,
      long peakRequestedBytes,
      long peakReservedBytes,
      long deviceCalls,
      long retries,
      MemoryUse atPeak,
      MemoryUse atEnd,
      List<Long> regionBytes) {
    this.allocations = allocations;
    this.frees = frees;
    this.failures = failures;
    this.recorded = recorded;
    this.firstFailure = firstFailure;
    this.peakRequestedBytes = peakRequestedBytes;
    this.peakReservedBytes = peakReservedBytes;
    this.deviceCalls = deviceCalls;
    this.retries = retries;
    this.atPeak = atPeak;
    this.atEnd = atEnd;
    this.regionBytes = List.copyOf(regionBytes);
  }

  /**
   * A request that failed.
   *
   * @param event the number of the event, from 1
   * @param request the request
   * @param verdict the verdict on the failure
   * @param numbers the numbers of the request and the allocator
   * @param use the use of the memory of the allocator at the failure
   * @param isRecorded true if the request also failed in the recorded program
   * @param reason the verdict with its numbers, and the changes that would have helped at that
   *     point
   */
  public record Failure(
      long event,
      AllocationEvent.Allocate request,
      OutOfMemoryVerdict verdict,
      OutOfMemoryNumbers numbers,
      MemoryUse use,
      boolean isRecorded,
      String reason) {

    /** {@return the id of the allocation} */
    public String id() {
      return request.id();
    }
  }

  /**
   * The requests that failed in the recorded program.
   *
   * @param count their number
   * @param reproduced the number of requests that the replay refuses by its rules, too
   * @param passed the number of requests that pass because the replay has other rules
   */
  public record RecordedFailures(long count, long reproduced, long passed) {

    /** {@return the number of requests that the replay refuses only because the recording did} */
    public long asRecorded() {
      return count - reproduced - passed;
    }
  }

  /**
   * {@return this result with the highest peak of reserved bytes and the most failed requests of
   * all plausible runs}
   *
   * @param mostFailures the most failed requests
   * @param highBytes the highest peak
   */
  public ReplayResult atWorst(long mostFailures, long highBytes) {
    return new ReplayResult(
        allocations,
        frees,
        mostFailures,
        recorded,
        firstFailure,
        peakRequestedBytes,
        highBytes,
        deviceCalls,
        retries,
        atPeak,
        atEnd,
        regionBytes);
  }

  /** {@return the number of events} */
  public long events() {
    return allocations + frees;
  }

  /** {@return the number of requests, including those that failed and those for 0 bytes} */
  public long allocations() {
    return allocations;
  }

  /** {@return the number of frees, including frees of requests that failed} */
  public long frees() {
    return frees;
  }

  /** {@return the number of requests that failed} */
  public long failures() {
    return failures;
  }

  /** {@return the requests that failed in the recorded program} */
  public RecordedFailures recordedFailures() {
    return recorded;
  }

  /** {@return the first request that failed in the most probable run} */
  public Optional<Failure> firstFailure() {
    return firstFailure;
  }

  /** {@return the largest number of requested bytes in use at any time} */
  public long peakRequestedBytes() {
    return peakRequestedBytes;
  }

  /**
   * {@return the largest number of bytes in use at any time, including rounding and rests that were
   * not split off}
   */
  public long peakInUseBytes() {
    return atPeak.bytesInUse();
  }

  /** {@return the bytes that the allocator holds at the end} */
  public long reservedBytes() {
    return atEnd.reservedBytes();
  }

  /** {@return the requested bytes of the allocations that the trace does not free} */
  public long neverFreedBytes() {
    return atEnd.requestedBytesInUse();
  }

  /** {@return the largest number of bytes that the allocator held at any time} */
  public long peakReservedBytes() {
    return peakReservedBytes;
  }

  /** {@return the number of times that the allocator got memory from the device or returned it} */
  public long deviceCalls() {
    return deviceCalls;
  }

  /** {@return the number of times that cached memory was released to serve a request} */
  public long retries() {
    return retries;
  }

  /** {@return the sizes of the regions at the end, by ascending address} */
  public List<Long> regionBytes() {
    return regionBytes;
  }

  /**
   * {@return 1 − largest free chunk ÷ free bytes, when the peak of bytes in use was first reached}
   */
  public double externalFragmentation() {
    return atPeak.externalFragmentation();
  }

  /** {@return 1 − requested ÷ chunk bytes, when the peak of bytes in use was first reached} */
  public double internalFragmentation() {
    return atPeak.internalFragmentation();
  }

  /** {@return true if all values are equal} */
  @Override
  public boolean equals(Object other) {
    return other instanceof ReplayResult that
        && allocations == that.allocations
        && frees == that.frees
        && failures == that.failures
        && recorded.equals(that.recorded)
        && firstFailure.equals(that.firstFailure)
        && peakRequestedBytes == that.peakRequestedBytes
        && peakReservedBytes == that.peakReservedBytes
        && deviceCalls == that.deviceCalls
        && retries == that.retries
        && atPeak.equals(that.atPeak)
        && atEnd.equals(that.atEnd)
        && regionBytes.equals(that.regionBytes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(allocations, frees, failures, atEnd);
  }

  /** {@return the counts and the peak} */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "allocations=%d, frees=%d, failures=%d, peakReservedBytes=%d",
        allocations,
        frees,
        failures,
        peakReservedBytes());
  }
}
