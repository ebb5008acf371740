package dev.stowage.trace.netty;

/** Thrown if the limit does not permit another chunk. */
final class ChunkLimitException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long chunkBytes;

  ChunkLimitException(long chunkBytes) {
    super("a chunk of " + chunkBytes + " bytes exceeds the limit", null, false, false);
    this.chunkBytes = chunkBytes;
  }

  /** {@return the bytes of the chunk} */
  long chunkBytes() {
    return chunkBytes;
  }
}
