package dev.stowage.memory.synced;

/** One copy of a buffer: where it is, how fresh it is, and what of it was handed out. */
sealed interface Side permits HostSide, DeviceSide {

  /** {@return how much of it is what the buffer holds} */
  Freshness freshness();

  default boolean isCurrent() {
    return freshness().isCurrent();
  }

  /** {@return whether it has memory} */
  boolean isAllocated();

  /** Takes memory, whose contents are undefined; if it fails, nothing changes. */
  void allocate();

  /** Gives back what was allocated, and forgets what was adopted; nothing of it is out any more. */
  void release();

  /** Fills its memory with zeros. */
  void zero();

  /** {@return true if callers have live segments or device data for reading} */
  boolean hasReaders();

  /** {@return true if callers have live segments or device data for writing} */
  boolean hasWriters();

  /** Ends what was handed out for writing. */
  void endWriters(Lease.End why);

  /** Ends what was handed out. */
  void endAll(Lease.End why);
}
