package dev.stowage.allocator;

/**
 * Thrown if an allocator, or a budget of an allocator, has no room for a request.
 *
 * <p>The message has sentences in this order: the allocator or budget that is out of memory, the
 * tag and the request; the cause, with the missing bytes; the largest holder, if the memory in use
 * is the cause and the holder has a tag; the smallest changes with which the request would have
 * passed at that point; and the state of the allocator. Numbers of bytes have a unit. The request,
 * and the limits and changes that a program may set, also have the exact number:
 *
 * <pre>
 * allocator 'gpu' is out of memory for 'requests': 300 MiB (314,576,896 bytes) requested. Enough
 * bytes are free, but no hole is large enough: of 330.7 MiB, the largest free chunk has 256 MiB, 44
 * MiB too few. The request would have passed with a limit higher by 44 MiB (46,141,440 bytes). In
 * use: 181.3 MiB; reserved: 512 MiB; limit: 768 MiB (805,306,368 bytes).
 * </pre>
 *
 * <p>{@link #report()} lists all holders of the memory.
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
    return new BfcOutOfMemoryException(
        shortage.message(report, tag),
        shortage.verdict(),
        shortage.request().requestedBytes(),
        shortage.request().roundedBytes(),
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
