/**
 * Buffers with a copy on the host and copies on devices, each allocated when it is first used and
 * copied to only when another one was written.
 *
 * <p>{@link dev.stowage.memory.synced.SyncedMemory} is Caffe's, on real device memory and checked.
 */
package dev.stowage.memory.synced;
