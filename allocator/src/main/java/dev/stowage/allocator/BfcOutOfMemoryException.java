package dev.stowage.allocator;

import java.util.Locale;

/**
 * Thrown if an allocator has no room for a request.
 *
 * <p>The message has the numbers, the reason, and the smallest change with which the request would
 * have passed at that point. The report lists the holders of the memory.
 *
 * @serial exclude
 */
public final class BfcOutOfMemoryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final OutOfMemoryVerdict verdict;
  private final long requestedBytes;
  private final long roundedBytes;
  private final AllocatorReport report;

  BfcOutOfMemoryException(
      String message,
      OutOfMemoryVerdict verdict,
      long requestedBytes,
      long roundedBytes,
      AllocatorReport report) {
    super(message);
    this.verdict = verdict;
    this.requestedBytes = requestedBytes;
    this.roundedBytes = roundedBytes;
    this.report = report;
  }

  static BfcOutOfMemoryException of(Shortage shortage, AllocatorReport report, String tag) {
    AllocatorStatistics statistics = report.statistics();
    FailedRequest request = shortage.request();
    String limit =
        statistics.limitBytes() == Long.MAX_VALUE ? "none" : "" + statistics.limitBytes();
    String numbers =
        String.format(
            Locale.ROOT,
            "requested=%d, rounded=%d, inUse=%d, free=%d, largestFreeChunk=%d, reserved=%d, limit=%s%s",
            request.requestedBytes(),
            request.roundedBytes(),
            statistics.bytesInUse(),
            statistics.freeBytes(),
            statistics.largestFreeChunkBytes(),
            statistics.reservedBytes(),
            limit,
            shortage.others());
    String remedy = shortage.remedy().describe();
    return new BfcOutOfMemoryException(
        String.format(
            Locale.ROOT,
            "allocator '%s' is out of memory%s: %s. %s%s",
            report.allocator(),
            tag.isEmpty() ? "" : String.format(Locale.ROOT, " for '%s'", tag),
            numbers,
            shortage.reason(),
            remedy.isEmpty() ? "" : ". " + remedy),
        shortage.verdict(),
        request.requestedBytes(),
        request.roundedBytes(),
        report);
  }

  /** {@return the reason} */
  public OutOfMemoryVerdict verdict() {
    return verdict;
  }

  /** {@return the requested bytes} */
  public long requestedBytes() {
    return requestedBytes;
  }

  /** {@return the bytes that the request would have taken} */
  public long roundedBytes() {
    return roundedBytes;
  }

  /** {@return the allocator as it was when the request failed} */
  public AllocatorReport report() {
    return report;
  }
}
