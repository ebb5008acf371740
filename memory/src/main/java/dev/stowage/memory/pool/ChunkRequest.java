package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationSource;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A way to request a chunk, which differs if there is no room.
 *
 * @param <E> the exception of a wait that is interrupted
 */
interface ChunkRequest<E extends Exception> {

  /** Throws an exception if there is no room. */
  ChunkRequest<RuntimeException> OR_THROW =
      (source, bytes, alignment) -> OptionalLong.of(source.allocate(bytes, alignment));

  /** Returns an empty result if there is no room. */
  ChunkRequest<RuntimeException> OR_EMPTY = AllocationSource::tryAllocate;

  /** {@return a request that waits for frees if there is no room} */
  static ChunkRequest<InterruptedException> orWait(Duration timeout) {
    return (source, bytes, alignment) ->
        OptionalLong.of(source.allocateOrWait(bytes, alignment, timeout));
  }

  /** {@return the address of a new chunk, or empty if there is no room} */
  OptionalLong find(AllocationSource source, long bytes, long alignment) throws E;
}
