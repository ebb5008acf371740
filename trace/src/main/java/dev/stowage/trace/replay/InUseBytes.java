package dev.stowage.trace.replay;

/**
 * The bytes of a block in use, or of several.
 *
 * @param requestedBytes the requested bytes
 * @param roundedBytes the requested bytes after rounding, at most the bytes of the block
 * @param bytes the bytes of the block, with a rest that was not split off
 */
public record InUseBytes(long requestedBytes, long roundedBytes, long bytes) {

  static final InUseBytes NONE = new InUseBytes(0, 0, 0);

  /** {@return a block of an allocator with regions that serve all requests} */
  public static InUseBytes ofRegion(long requestedBytes, long bytes) {
    return new InUseBytes(
        requestedBytes, Math.min(ReservedCount.rounded(requestedBytes), bytes), bytes);
  }

  /** {@return the bytes of these blocks and of other ones} */
  public InUseBytes plus(InUseBytes other) {
    return new InUseBytes(
        requestedBytes + other.requestedBytes,
        roundedBytes + other.roundedBytes,
        bytes + other.bytes);
  }

  /** {@return the bytes of these blocks without some of them} */
  public InUseBytes minus(InUseBytes other) {
    return new InUseBytes(
        requestedBytes - other.requestedBytes,
        roundedBytes - other.roundedBytes,
        bytes - other.bytes);
  }
}
