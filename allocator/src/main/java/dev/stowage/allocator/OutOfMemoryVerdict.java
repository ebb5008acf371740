package dev.stowage.allocator;

/** The reason for a failed request; of several reasons, the first in the order of declaration. */
public enum OutOfMemoryVerdict {
  /** The request exceeds the limit of a budget; the allocator was not called. */
  BUDGET_REACHED,

  /** The limit would allow more memory for the request, but the sub-allocator refused it. */
  REFUSED_BY_DEVICE,

  /**
   * The requested bytes are within the limit, but the bytes in use are not: the allocator rounds
   * requests up and does not split a chunk if the rest would be small.
   */
  INTERNAL_FRAGMENTATION,

  /** The bytes in use and the request together are more than the limit. */
  TRUE_SHORTAGE,

  /** Enough bytes are free, but no chunk is large enough, and the limit allows no more memory. */
  EXTERNAL_FRAGMENTATION,

  /** Too few bytes are free, and the limit permits too few more bytes. */
  LIMIT_REACHED
}
