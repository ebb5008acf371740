package dev.stowage.trace.replay;

/** A reason why an allocator reserves more bytes than the program requested. */
public enum ReservedPart {

  /** Requests are rounded up. */
  ROUNDING,

  /** Blocks in use have a rest that was not split off. */
  UNSPLIT_RESTS,

  /** Free memory cannot be released, because blocks beside it are in use. */
  HOLES,

  /** Free memory belongs to streams other than the stream of the request. */
  OTHER_STREAMS,

  /** Free memory belongs to private pools. */
  PRIVATE_POOLS,

  /** Blocks are free for the program, but queued work may still use them. */
  PENDING_FREES,

  /** Free memory could be released, but the allocator keeps it for later requests. */
  KEPT_SEGMENTS
}
