/**
 * Pools of memory.
 *
 * <p>A {@link MemoryPool} is a {@code dev.stowage.allocator.BfcAllocator} over the regions of a
 * device that the host can address, such as {@link dev.stowage.memory.device.HostMemory}. It
 * provides arenas and segments for code that uses the foreign memory API. A {@link DevicePool} is
 * an allocator over a device; queued work of the device may still use freed memory. {@link
 * GrowingMemory} is contiguous memory that grows in place.
 *
 * <h2>For maintainers</h2>
 *
 * <p>Each arena of a {@link MemoryPool} has an arena of the JDK, which ends all segments at once.
 * Only then is its memory freed, once (P1 to P4 in {@link PoolArenas}).
 *
 * <ul>
 *   <li>The first allocation registers an arena at the pool. If the pool is closed before that, the
 *       arena ends with its next use.
 *   <li>A pool closes all its arenas or none: {@link PoolClosing} holds all of them, and all arenas
 *       of its private pools ({@link HeldArenas}), without a wait, or changes nothing. {@code
 *       lifetime.ArenaUse} finds native calls that use an arena before the first arena is closed.
 *   <li>A {@link CountedBlock} has its count in its {@link CountedMemory}, and its segment belongs
 *       to an arena that lasts, so that the last release needs no handshake of the JVM. In debug
 *       mode, it has an arena of its own.
 *   <li>Segments of buffers ({@code synced}) belong to arenas of the pool, so that the same holds
 *       for them.
 *   <li>The pool returns regions only when no arena is open, through the sub-allocator that
 *       provided them. Only restricted methods can therefore access memory that was returned.
 *   <li>{@link FreshMemory} has a mark for each region: above it, no memory was used since the
 *       system provided it. Such memory is not zeroed again. In debug mode, {@link FreedMemory}
 *       keeps the freed ranges instead, and {@link CheckedRegions} checks them before they leave
 *       the pool.
 * </ul>
 *
 * <p>A {@link DevicePool} accepts frees of memory that queued work still uses. Such a chunk waits
 * for the events of its last users. Only the stream of the chunk, which executes its work in order,
 * may reuse it earlier, as a new allocation. {@link QueuedFrees} keeps the events of each stream in
 * order, so that the pool queries only the first event of each stream (D1 to D6). A thread waits
 * for an event without the lock of the pool. A request that also waits for other threads stands in
 * the queue of the allocator. While it waits, its thread frees the chunks of completed work ({@link
 * StreamChunks}), and {@link StreamRequests} allocates them. {@link PoolLock} has the order of
 * locks.
 */
package dev.stowage.memory.pool;
