/**
 * Buffers with a copy on the host and copies on devices.
 *
 * <p>A {@link dev.stowage.memory.synced.SyncedMemory} allocates a copy when it is first used, and
 * updates it only if another one was written, as Caffe's class of that name.
 */
package dev.stowage.memory.synced;
