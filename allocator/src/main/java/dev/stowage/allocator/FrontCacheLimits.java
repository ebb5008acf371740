package dev.stowage.allocator;

import java.util.Locale;

/**
 * The limits of a {@link FrontCache}.
 *
 * @param maxBytes the most bytes of free chunks; 0 for no cache
 * @param maxChunks the most chunks, free or in use
 */
record FrontCacheLimits(long maxBytes, int maxChunks) {

  static final int USUAL_CHUNKS = 1 << 16;

  static final FrontCacheLimits OFF = new FrontCacheLimits(0, USUAL_CHUNKS);

  FrontCacheLimits {
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes must not be negative: maxBytes=" + maxBytes);
    }
    if (maxChunks < 1 || maxChunks > CacheStripe.MAX_ENTRIES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "maxChunks must be from 1 to %d: maxChunks=%d",
              CacheStripe.MAX_ENTRIES,
              maxChunks));
    }
  }
}
