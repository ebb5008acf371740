package dev.stowage.core.bfc;

/** Why a request could not be answered. */
public enum OutOfMemoryVerdict {
  /** Enough bytes are free, but no chunk is large enough, and there can be no further region. */
  EXTERNAL_FRAGMENTATION,

  /** The request is for more than is free, and the limit allows no region for it. */
  LIMIT_REACHED,

  /** The limit would allow a region for the request, but the sub-allocator refused it. */
  REFUSED_BY_DEVICE
}
