/**
 * Buffers with a copy on the host and copies on devices.
 *
 * <p>A {@link SyncedMemory} allocates a copy when it is first used, and updates it only if another
 * one was written, as Caffe's class of that name.
 *
 * <h2>For maintainers</h2>
 *
 * <p>{@link Sides} keeps for each side its memory, its freshness (current, or the stale ranges) and
 * the data that callers have, under the lock of the buffer. A call allocates, ends data that would
 * become wrong, copies stale ranges, and only then marks sides as current. A failure therefore
 * changes nothing (Y1 to Y4).
 */
package dev.stowage.memory.synced;
