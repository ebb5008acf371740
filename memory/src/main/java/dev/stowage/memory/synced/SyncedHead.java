package dev.stowage.memory.synced;

/**
 * The location of the latest contents of a {@link SyncedMemory}; the names are Caffe's. For each
 * call, this table has the next head, and the direction of the copy, if there is one:
 *
 * <pre>{@code
 * head           cpuData()            mutableCpuData()     gpuData()            mutableGpuData()
 * UNINITIALIZED  HEAD_AT_CPU          HEAD_AT_CPU          HEAD_AT_GPU          HEAD_AT_GPU
 * HEAD_AT_CPU    HEAD_AT_CPU          HEAD_AT_CPU          SYNCED, to GPU       HEAD_AT_GPU, to GPU
 * HEAD_AT_GPU    SYNCED, to CPU       HEAD_AT_CPU, to CPU  HEAD_AT_GPU          HEAD_AT_GPU
 * SYNCED         SYNCED               HEAD_AT_CPU          SYNCED               HEAD_AT_GPU
 * }</pre>
 */
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
