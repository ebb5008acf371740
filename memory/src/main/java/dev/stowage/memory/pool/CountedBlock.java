package dev.stowage.memory.pool;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.Optional;

/**
 * Memory of a pool with a count of references, which any thread may release.
 *
 * <pre>{@code
 * CountedBlock block = pool.allocateCounted(8192); // its count is 1
 * queue.put(block);
 *
 * CountedBlock received = queue.take(); // in another thread
 * try {
 *   decode(received.segment());
 * } finally {
 *   received.release();
 * }
 * }</pre>
 *
 * <p>A new block has one reference. {@link #retain()} adds a reference, and {@link #release()}
 * removes one. The last release returns the memory to the pool. Both methods take some nanoseconds.
 * Closing a {@linkplain MemoryPool#allocateShared shared} block takes tens of microseconds, because
 * the JVM then checks with all threads that none of them uses the memory.
 *
 * <p>A counted block has no such check: <b>an access to a segment after the last release is not
 * detected</b>, and reads or writes memory that may belong to another block. {@link #segment()}
 * throws an {@link IllegalStateException} after the last release. Segments from earlier calls stay
 * accessible until the pool is closed. In {@linkplain PoolOptions#withDebugging() debug mode}, each
 * block is checked like a shared block: its segments end with the last release, and a later access
 * throws an {@link IllegalStateException}. A release then takes tens of microseconds.
 *
 * <p>When a pool is closed, its counted blocks end. The logger {@code dev.stowage.memory} names
 * them in a warning, like open arenas. Safe for use by many threads.
 */
public final class CountedBlock {

  private final CountedMemory memory;
  private final MemorySegment segment;

  /** The report of a block that becomes unreachable before its last release, for some blocks. */
  private final Optional<Cleaner.Cleanable> watch;

  CountedBlock(CountedMemory memory, MemorySegment segment, Optional<Reports> reports) {
    this.memory = memory;
    this.segment = segment;
    this.watch = reports.map(each -> each.watch(this, memory));
  }

  /** The watch of blocks. */
  interface Reports {
    Cleaner.Cleanable watch(CountedBlock block, CountedMemory memory);
  }

  /**
   * {@return the memory; the caller may access it until the last release}
   *
   * @throws IllegalStateException if the block is released, or its pool is closed
   */
  public MemorySegment segment() {
    if (memory.references() == 0) {
      throw memory.released();
    }
    return segment;
  }

  /** {@return the number of references; 0 if the block is released, or its pool is closed} */
  public int references() {
    return memory.references();
  }

  /**
   * Adds a reference.
   *
   * @return this block
   * @throws IllegalStateException if the block is released, its pool is closed, or it has 2<sup>31
   *     </sup> - 1 references
   */
  public CountedBlock retain() {
    if (!memory.retain()) {
      throw memory.released();
    }
    return this;
  }

  /**
   * Removes a reference. If it is the last one, the memory returns to the pool.
   *
   * @return true if this was the last reference
   * @throws IllegalStateException if the block is released, or its pool is closed; or, in debug
   *     mode, a native call uses the segment, and the count stays 1
   */
  public boolean release() {
    int before = memory.release();
    if (before > 1) {
      return false;
    }
    if (before == 0) {
      throw memory.released();
    }
    memory.free();
    watch.ifPresent(Cleaner.Cleanable::clean);
    return true;
  }
}
