package dev.stowage.allocator.internal;

/**
 * A chunk in use of another allocator.
 *
 * @param address its address, a multiple of 256
 * @param bytes its size, a multiple of 256
 * @param requestedBytes the bytes of its request
 */
public record RestoredChunk(long address, long bytes, long requestedBytes) {

  /** Creates a chunk of an unknown request, which counts with all its bytes. */
  public RestoredChunk(long address, long bytes) {
    this(address, bytes, bytes);
  }
}
