package dev.stowage.memory.synced;

import dev.stowage.memory.device.DeviceException;

/** One copy of a buffer: its memory, its stale ranges, and the data that callers have. */
sealed interface Side permits HostSide, DeviceSide {

  /** {@return the stale ranges} */
  Freshness freshness();

  default boolean isCurrent() {
    return freshness().isCurrent();
  }

  /** {@return true if the side has memory} */
  boolean isAllocated();

  /** Allocates memory with undefined contents; if this fails, nothing changes. */
  void allocate();

  /** Frees allocated memory, and drops wrapped memory. Callers have no data of it. */
  void release();

  /** Fills the memory with zeros. */
  void zero();

  /** {@return true if callers have live segments or device data for reading} */
  boolean hasReaders();

  /** {@return true if callers have live segments or device data for writing} */
  boolean hasWriters();

  /** Ends the data that callers have for writing. */
  void endWriters(Lease.End why);

  /** Ends the data that callers have. */
  void endAll(Lease.End why);

  /** {@return the same failure with its purpose} */
  static DeviceException named(String purpose, DeviceException failed) {
    DeviceException named = new DeviceException(purpose, failed.code(), failed.codeName());
    named.initCause(failed);
    return named;
  }
}
