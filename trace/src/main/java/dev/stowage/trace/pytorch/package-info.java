/**
 * Memory snapshots of PyTorch: the state of its allocator at the end of a recording, and the
 * recorded events.
 *
 * <p>A {@link SnapshotHistory} derives the allocations of one device of a {@link MemorySnapshot},
 * including those that are older than the recording.
 *
 * <h2>For maintainers</h2>
 *
 * <p>{@link SnapshotReader} reads the pickle of a snapshot with {@link Pickle}, which creates only
 * plain values and can therefore run no code of the file. {@link SnapshotContents} replaces each
 * entry, segment and stack by a compact value as soon as it is complete. The events of a {@link
 * DeviceSnapshot} are in columns ({@link SnapshotEvents}), because a snapshot may have millions.
 */
package dev.stowage.trace.pytorch;
