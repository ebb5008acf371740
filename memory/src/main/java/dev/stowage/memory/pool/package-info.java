/**
 * Pools of host memory in the JDK's own shape: arenas and segments for any code that uses the
 * foreign memory API.
 *
 * <p>A {@link dev.stowage.memory.pool.MemoryPool} is a {@link dev.stowage.core.bfc.BfcAllocator}
 * over {@link dev.stowage.memory.device.HostMemory}.
 */
package dev.stowage.memory.pool;
