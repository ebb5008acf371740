package dev.stowage.onnxruntime;

import java.util.OptionalLong;

/**
 * The memory of one session.
 *
 * <p>Bytes are rounded up to multiples of 256, as in the allocator, and include memory from the C
 * library.
 *
 * @param session the name
 * @param limits the reservation, limit and estimate
 * @param bytes the bytes that the session uses
 * @param runs the runs that have ended
 * @param rejections the number of requests that were not admitted
 * @param refusedRequests the number of requests of the engine that the allocator refused and that
 *     got memory outside the limit
 */
public record SessionUsage(
    String session,
    SessionLimits limits,
    Bytes bytes,
    Runs runs,
    long rejections,
    long refusedRequests) {

  /**
   * The bytes of a session.
   *
   * @param inUse the bytes in use
   * @param peak the largest number of bytes in use at any time
   * @param kept the bytes in use that belong to no run, such as weights
   * @param charged the kept bytes, the bytes of permits that are open or have open results, and the
   *     bytes of their runs outside their ranges
   */
  public record Bytes(long inUse, long peak, long kept, long charged) {}

  /**
   * The runs of a session.
   *
   * @param count the number of permits for runs that were closed
   * @param largestBytes the largest peak of these runs
   * @param percentileBytes the 99th percentile of the peaks of recent runs; empty before 100 runs
   * @param overruns the number of runs that used more bytes than they were admitted with
   * @param unattributedAllocations the number of allocations that are not part of the peak of a
   *     run, because another thread of the engine made them while several runs were open
   */
  public record Runs(
      long count,
      long largestBytes,
      OptionalLong percentileBytes,
      long overruns,
      long unattributedAllocations) {}
}
