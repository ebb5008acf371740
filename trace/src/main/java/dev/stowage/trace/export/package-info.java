/**
 * Writes a replay as a snapshot of PyTorch, so that PyTorch's viewer shows it.
 *
 * <h2>For maintainers</h2>
 *
 * <p>{@link SnapshotExport} passes each event to the replay. If the allocator has called the
 * device, {@link SegmentChanges} compares the segments. {@link RecordedOrigins} finds the stack and
 * the pool of each allocation in the recording.
 */
package dev.stowage.trace.export;
