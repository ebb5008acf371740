package dev.stowage.core.bfc;

/** Why a request could not be answered; of several reasons the first. */
public enum OutOfMemoryVerdict {
  /** A budget that the request is charged to has not enough left; the allocator was not asked. */
  BUDGET_REACHED,

  /** The limit would allow more memory for the request, but the sub-allocator refused it. */
  REFUSED_BY_DEVICE,

  /**
   * The requested bytes are within the limit, but the bytes in use are not: the allocator rounds
   * requests up and does not split a chunk if the rest would be small.
   */
  INTERNAL_FRAGMENTATION,

  /** What is in use and the request are more than the limit, wherever things lie. */
  TRUE_SHORTAGE,

  /** Enough bytes are free, but no chunk is large enough, and the limit allows no more memory. */
  EXTERNAL_FRAGMENTATION,

  /** What is free is too little, and so is what is left up to the limit. */
  LIMIT_REACHED
}
