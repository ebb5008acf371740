package dev.stowage.trace.replay;

/**
 * The free bytes of an allocator by the reason why they are reserved, as in {@link ReservedPart}.
 */
public record FreeBytes(
    long holeBytes, long otherStreamBytes, long privatePoolBytes, long keptBytes) {

  /**
   * {@return the free bytes of regions that serve all requests}
   *
   * @param bytes the free bytes
   * @param keptBytes the free bytes of regions without blocks in use
   */
  public static FreeBytes ofRegions(long bytes, long keptBytes) {
    return new FreeBytes(bytes - keptBytes, 0, 0, keptBytes);
  }

  long bytes() {
    return holeBytes + otherStreamBytes + privatePoolBytes + keptBytes;
  }
}
