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
      AllocatorStatistics statistics) {
    super(message(allocator, verdict, requestedBytes, roundedBytes, statistics));
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
            explanation(verdict, roundedBytes, statistics));
  }

  private static String explanation(
      OutOfMemoryVerdict verdict, long roundedBytes, AllocatorStatistics statistics) {
    long mayReserve = statistics.limitBytes() - statistics.reservedBytes();
    return switch (verdict) {
      case EXTERNAL_FRAGMENTATION ->
          "External fragmentation: enough is free, but the largest chunk is %d bytes too small"
              .formatted(roundedBytes - statistics.largestFreeChunkBytes());
      case LIMIT_REACHED ->
          "The limit is reached: it would have passed with a limit higher by %d bytes"
              .formatted(roundedBytes - mayReserve);
      case REFUSED_BY_DEVICE ->
          "The device refused a region of %d bytes, which the limit would have allowed"
              .formatted(roundedBytes);
    };
  }
}
