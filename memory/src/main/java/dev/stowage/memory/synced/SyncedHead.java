package dev.stowage.memory.synced;

/** The location of the latest contents of a {@link SyncedMemory}; the names are Caffe's. */
public enum SyncedHead {
  /** On no side: the buffer was never used, nothing is allocated, and it reads as zeros. */
  UNINITIALIZED,

  /** On the host only; copies on devices are missing or stale. */
  HEAD_AT_CPU,

  /** On one or more devices, not on the host. */
  HEAD_AT_GPU,

  /** On the host and on at least one device. */
  SYNCED
}
