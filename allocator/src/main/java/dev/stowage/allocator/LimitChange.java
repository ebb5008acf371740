package dev.stowage.allocator;

/**
 * The result of a change of an allocator's limit.
 *
 * @param requestedBytes the requested limit
 * @param limitBytes the limit now in force: the requested limit, or the bytes that allocations in
 *     use pin
 * @param releasedBytes the bytes that the allocator returned to its sub-allocator
 */
public record LimitChange(long requestedBytes, long limitBytes, long releasedBytes) {

  /** {@return true if the requested limit is in force} */
  public boolean isReached() {
    return limitBytes == requestedBytes;
  }
}
