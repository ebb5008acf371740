/**
 * Pools of memory.
 *
 * <p>A {@link dev.stowage.memory.pool.MemoryPool} is a {@link dev.stowage.allocator.BfcAllocator}
 * over {@link dev.stowage.memory.device.HostMemory}. It provides arenas and segments for code that
 * uses the foreign memory API. A {@link dev.stowage.memory.pool.DevicePool} is an allocator over a
 * device whose queued work may still use freed memory.
 */
package dev.stowage.memory.pool;
