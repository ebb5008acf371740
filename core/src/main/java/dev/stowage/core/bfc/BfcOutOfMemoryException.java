package dev.stowage.core.bfc;

/** A request that an allocator could not answer; its message tells why, with the numbers. */
public final class BfcOutOfMemoryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final OutOfMemoryVerdict verdict;
  private final long requestedBytes;
  private final long roundedBytes;

  BfcOutOfMemoryException(
      String allocator,
      OutOfMemoryVerdict verdict,
      long requestedBytes,
      long roundedBytes,
      long paddingBytes,
      AllocatorStatistics statistics) {
    super(message(allocator, verdict, requestedBytes, roundedBytes, paddingBytes, statistics));
    this.verdict = verdict;
    this.requestedBytes = requestedBytes;
    this.roundedBytes = roundedBytes;
  }

  /** {@return why} */
  public OutOfMemoryVerdict verdict() {
    return verdict;
  }

  /** {@return what was asked for} */
  public long requestedBytes() {
    return requestedBytes;
  }

  /** {@return what would have been taken} */
  public long roundedBytes() {
    return roundedBytes;
  }

  private static String message(
      String allocator,
      OutOfMemoryVerdict verdict,
      long requestedBytes,
      long roundedBytes,
      long paddingBytes,
      AllocatorStatistics statistics) {
    String limit =
        statistics.limitBytes() == Long.MAX_VALUE ? "none" : "" + statistics.limitBytes();
    return "allocator '%s' is out of memory: requested=%d, rounded=%d, inUse=%d, free=%d, largestFreeChunk=%d, reserved=%d, limit=%s. %s"
        .formatted(
            allocator,
            requestedBytes,
            roundedBytes,
            statistics.bytesInUse(),
            statistics.freeBytes(),
            statistics.largestFreeChunkBytes(),
            statistics.reservedBytes(),
            limit,
            explanation(verdict, roundedBytes, paddingBytes, statistics));
  }

  private static String explanation(
      OutOfMemoryVerdict verdict,
      long roundedBytes,
      long paddingBytes,
      AllocatorStatistics statistics) {
    return switch (verdict) {
      case EXTERNAL_FRAGMENTATION -> fragmentation(roundedBytes, paddingBytes, statistics);
      case LIMIT_REACHED -> limit(roundedBytes, paddingBytes, statistics);
      case REFUSED_BY_DEVICE ->
          "The device refused a region of %d bytes, which the limit would have allowed"
              .formatted(roundedBytes + paddingBytes);
    };
  }

  private static String fragmentation(
      long roundedBytes, long paddingBytes, AllocatorStatistics statistics) {
    long largest = statistics.largestFreeChunkBytes();
    return largest < roundedBytes
        ? "External fragmentation: enough is free, but the largest chunk is %d bytes too small"
            .formatted(roundedBytes - largest)
        : "External fragmentation: enough is free, but no chunk has %d bytes at a multiple of %d"
            .formatted(roundedBytes, paddingBytes + ChunkTable.QUANTUM_BYTES);
  }

  private static String limit(
      long roundedBytes, long paddingBytes, AllocatorStatistics statistics) {
    long reserved = statistics.reservedBytes();
    long highest = Long.MAX_VALUE - ChunkTable.QUANTUM_BYTES + 1;
    if (roundedBytes > highest - reserved - paddingBytes) {
      return "No limit is high enough";
    }
    return "The limit is reached: it would have passed with a limit higher by %d bytes"
        .formatted(roundedBytes + paddingBytes - (statistics.limitBytes() - reserved));
  }
}
