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
 * @param bytesInUse the bytes in use
 * @param peakBytes the largest number of bytes in use at any time
 * @param keptBytes the bytes in use that belong to no run, such as weights
 * @param chargedBytes the kept bytes, the bytes of permits that are open or have open results, and
 *     the bytes of their runs outside their ranges
 * @param runs the number of permits for runs that were closed
 * @param largestRunBytes the largest peak of these runs
 * @param percentileBytes the 99th percentile of the peaks of recent runs; empty before 100 runs
 * @param overruns the number of runs that used more bytes than they were admitted with
 * @param rejections the number of requests that were not admitted
 * @param refusedRequests the number of requests of the engine that the allocator refused and that
 *     got memory from the C library
 * @param unattributedAllocations the number of allocations that are not part of the peak of a run,
 *     because another thread of the engine made them while several runs were open
 */
public record SessionUsage(
    String session,
    SessionLimits limits,
    long bytesInUse,
    long peakBytes,
    long keptBytes,
    long chargedBytes,
    long runs,
    long largestRunBytes,
    OptionalLong percentileBytes,
    long overruns,
    long rejections,
    long refusedRequests,
    long unattributedAllocations) {}
