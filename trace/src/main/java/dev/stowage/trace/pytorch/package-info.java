/**
 * Memory snapshots of PyTorch: the state of its allocator at the end of a recording, and the
 * recorded events.
 *
 * <p>A {@link dev.stowage.trace.pytorch.SnapshotHistory} derives the allocations of one device of a
 * {@link dev.stowage.trace.pytorch.MemorySnapshot}, including those that are older than the
 * recording.
 */
package dev.stowage.trace.pytorch;
