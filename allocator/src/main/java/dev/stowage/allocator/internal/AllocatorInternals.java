package dev.stowage.allocator.internal;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.stripe.CacheStripe;
import dev.stowage.allocator.stripe.CacheStripes;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The internals of an allocator: its invariants, and chunks that a pool divides into slots and
 * reports itself.
 *
 * <p>Statistics, allocations and reports of the allocator do not include divided chunks, but the
 * slots that the pool {@linkplain #reportSlots reports}.
 */
public interface AllocatorInternals {

  /**
   * {@return the internals of an allocator}
   *
   * @param allocator the allocator
   */
  static AllocatorInternals of(InternalAccess allocator) {
    return allocator.internals();
  }

  /**
   * Checks the invariants, for tests; costs O(chunks), all of it with the lock.
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  void checkInvariants();

  /** {@return true if this thread holds the lock, so that the allocator is calling its caller} */
  boolean isLockHeld();

  /**
   * Makes this the allocator of a pool: after a refusal of the device, it asks for few sizes, the
   * needed one last, and a refused request has no effect on later ones. If the listener throws in a
   * reuse, the pool frees the chunk when queued work has completed. Other allocators take the steps
   * of TensorFlow's, and free the chunk at once.
   */
  void becomePool();

  /**
   * Lets statistics and reports show slots in the place of slabs.
   *
   * @param source is called without a lock of the allocator, by threads that hold none of the user
   */
  void reportSlots(SlotUse.Source source);

  /** {@return true if a listener or a stack must get each request of a user} */
  boolean isEachReported();

  /** {@return true if Flight Recorder records each request now} */
  boolean isEachRecorded();

  /**
   * Replaces the stripes of the cache by stripes of a pool, before its first request, and {@return
   * them}
   *
   * @param newStripe creates a stripe; its argument is the origin of requests without a tag
   */
  CacheStripes useStripes(Function<Object, CacheStripe> newStripe);

  /**
   * Turns the cache of a pool on before its first request, unless the options decide; {@return true
   * if there is one}
   */
  boolean turnOnCache();

  /** {@return the origin of an allocation with a tag, for {@link CacheStripe#take}} */
  Object origin(AllocationTag tag);

  /**
   * {@return the address of a new slab, or empty if there is no room}
   *
   * @param bytes the number of bytes
   */
  OptionalLong tryAllocateSlab(long bytes);

  /**
   * Adds a region with chunks in use, as another allocator had it, for simulations. If it has two
   * ends, all chunks belong to the low one.
   *
   * @param bytes the bytes of the region, which the sub-allocator must provide
   * @param chunks the chunks in use, by ascending address, at multiples of 256
   * @throws IllegalStateException if the sub-allocator refuses the region
   */
  void restore(long bytes, List<RestoredChunk> chunks);

  /**
   * Moves the end of the one region up, whatever the limit is, for simulations.
   *
   * @param bytes the bytes by which it becomes longer, which the sub-allocator must provide
   * @throws IllegalStateException if the sub-allocator refuses them
   */
  void lengthen(long bytes);

  /**
   * A space of XLA in an allocator with two ends, for simulations.
   *
   * @param isHighEnd true for the end at the highest address
   * @param splitsExactly true for collective memory: its chunks have exactly the rounded bytes
   */
  record XlaSpace(boolean isHighEnd, boolean splitsExactly) {}

  /**
   * {@return the address of new bytes in a space, or empty if there is no room}
   *
   * @param bytes the number of bytes
   * @param alignment a power of two
   * @param from the space
   */
  OptionalLong tryAllocate(long bytes, long alignment, XlaSpace from);

  /**
   * {@return the address of new bytes in a space}
   *
   * @param bytes the number of bytes
   * @param alignment a power of two
   * @param from the space
   * @throws dev.stowage.allocator.BfcOutOfMemoryException if there is no room
   */
  long allocate(long bytes, long alignment, XlaSpace from);

  /**
   * {@return the addresses of the slabs, including empty ones; costs O(chunks), all with the lock}
   */
  List<Long> slabAddresses();
}
