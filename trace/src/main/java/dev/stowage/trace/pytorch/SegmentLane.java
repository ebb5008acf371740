package dev.stowage.trace.pytorch;

/**
 * The requests that a segment serves.
 *
 * @param stream the stream of the requests
 * @param pool the memory pool of the requests
 * @param isSmall true if the segment is for small requests, of up to 1 MiB
 */
public record SegmentLane(long stream, PoolId pool, boolean isSmall) {}
