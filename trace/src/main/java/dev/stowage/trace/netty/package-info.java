/**
 * Simulates the allocators of Netty 4.2 for direct buffers: the adaptive, the pooled and the
 * unpooled one, without memory.
 *
 * <p>{@link NettyRules} replay a trace with {@link NettySettings}, which are the system properties
 * of a program with Netty.
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>{@link NettyAllocator} counts the buffers and chunks of a {@link BufferSource}, which
 *       decides where a buffer lies: {@link AdaptiveBuffers}, {@link PooledBuffers} or {@link
 *       UnpooledBuffers}. All get their memory from {@link NettyChunks}.
 *   <li>{@link AdaptiveBuffers} have a {@link MagazineGroup} for each size class, and one for large
 *       buffers. A {@link Magazine} allocates from one {@link AdaptiveChunk} until it is used up,
 *       and then takes one from the {@link ChunkReuse} of its group.
 *   <li>{@link PooledBuffers} have {@link PooledArena}s, which cut {@link PooledChunk}s into runs
 *       of pages and {@link PooledSubpage}s. A {@link BufferCache} keeps the freed buffers of a
 *       thread.
 *   <li>The rules are those of Netty 4.2.20, one event after the other. Two threads of a program
 *       that ask for memory at the same moment may get more chunks than that.
 * </ul>
 */
package dev.stowage.trace.netty;
