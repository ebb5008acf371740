package dev.stowage.allocator.slab;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.stripe.CacheStripe;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Allocations that are freed together; the base of the objects that own them.
 *
 * <p>A group belongs to the groups of its allocator from its registration, at the latest by its
 * first request, to its end. A group for one thread is not safe for use by others. For a shared
 * group, the subclass must order the registration before all requests, and all requests before
 * {@link #freeChunks} and its end.
 */
public abstract class AllocationGroup extends GroupEntries {

  /*
   * Most groups live shortly and have one allocation. Each of their bytes counts: 100 bytes of the heap
   * take 10 ns. The subclass is therefore the group, and has no object for it.
   */

  /** True if several threads allocate, so that the stripe guards the entries of chunks, too. */
  private final boolean isShared;

  private boolean hasChunks;

  /**
   * Creates a group that is not registered.
   *
   * @param isShared true if many threads allocate
   */
  protected AllocationGroup(boolean isShared) {
    this.isShared = isShared;
  }

  /** {@return true if the group was registered} */
  public final boolean isRegistered() {
    return stripe != null;
  }

  /** {@return the number of the group in its allocator, from 0; 0 before the registration} */
  public final long id() {
    return id;
  }

  /**
   * Registers the group; has no effect if it is registered.
   *
   * @param allocator the allocator of the group
   * @throws IllegalStateException if the allocator rejects new groups
   */
  public final void register(SlabAllocator allocator) {
    if (stripe == null) {
      hold(allocator).release();
    }
  }

  /** {@return the stripe of this group, whose lock the thread then holds} */
  private Stripe hold(SlabAllocator allocator) {
    Stripe known = stripe;
    if (known != null) {
      known.hold();
      return known;
    }
    Stripe free = allocator.stripes().holdFree();
    boolean isAdded = false;
    try {
      allocator.stripes().checkOpen();
      id = free.add(this);
      stripe = free;
      isAdded = true;
    } finally {
      if (!isAdded) {
        free.release();
      }
    }
    return free;
  }

  /**
   * {@return the address of a slot or a kept chunk for a request, or {@link SlabAllocator#NONE} if
   * the request needs a new chunk}
   *
   * @param allocator the allocator of all requests of this group
   * @param bytes the size of the request, at least 1
   * @param alignment a power of two
   * @throws IllegalStateException if the allocator rejects new groups
   */
  public final long takeSlot(SlabAllocator allocator, long bytes, long alignment) {
    int sizeClass = allocator.sizeClass(bytes, alignment);
    if (sizeClass == SizeClasses.NONE) {
      return takeKept(allocator, bytes, alignment);
    }
    AllocationTag tag = AllocationTag.current();
    Stripe held = hold(allocator);
    int slots;
    boolean needsIds;
    try {
      long address = take(held, sizeClass, (int) bytes, tag);
      if (address != NONE) {
        return address;
      }
      slots = held.slotsWanted(sizeClass);
      needsIds = held.needsIds() && (slots > 0 || held.list(sizeClass) != null);
    } finally {
      held.release();
    }
    if (slots == 0 && !needsIds) {
      return NONE;
    }
    // A request to the allocator waits for its lock, and may get memory from the device.
    allocator.supply(held, sizeClass, slots, needsIds);
    held.hold();
    try {
      return take(held, sizeClass, (int) bytes, tag);
    } finally {
      held.release();
    }
  }

  /** {@return the address of a chunk of the cache, which the group then has, or NONE} */
  private long takeKept(SlabAllocator allocator, long bytes, long alignment) {
    if (!allocator.mayHaveKept(bytes, alignment)) {
      register(allocator);
      return NONE;
    }
    Object origin = allocator.origin(AllocationTag.current());
    Stripe held = hold(allocator);
    try {
      makeRoom();
      long address = held.chunks().take(bytes, origin);
      if (address == CacheStripe.NO_ADDRESS) {
        return NONE;
      }
      add(address);
      hasChunks = true;
      return address;
    } finally {
      held.release();
    }
  }

  /** {@return the address of a slot, or NONE}, with the lock of the stripe */
  private long take(Stripe held, int sizeClass, int bytes, AllocationTag tag) {
    if (firstEntry != NONE) {
      makeRoom();
    }
    int handle = held.take(sizeClass, bytes, tag);
    if (handle == Stripe.NONE) {
      return NONE;
    }
    add(~(long) handle);
    return held.address(handle);
  }

  /** Makes room, so that the next {@link #addChunk} of a group for one thread cannot fail. */
  public final void makeRoomForChunk() {
    if (!isShared) {
      makeRoom();
    }
  }

  /**
   * Adds a chunk of the allocator to this group, which must be registered.
   *
   * @param address the address of the chunk
   */
  public final void addChunk(long address) {
    Stripe known = stripe;
    if (isShared && known != null) {
      known.hold();
      try {
        makeRoom();
        add(address);
        hasChunks = true;
      } finally {
        known.release();
      }
    } else {
      add(address);
      hasChunks = true;
    }
  }

  /**
   * Removes all chunks, the latest first.
   *
   * @param free frees a chunk by its address
   */
  public final void freeChunks(LongConsumer free) {
    removeChunks(address -> {
      free.accept(address);
      return true;
    });
  }

  /** Removes the chunks for which an action returns true, the latest first. */
  private void removeChunks(LongPredicate action) {
    boolean isLeft = false;
    if (others != null) {
      for (int i = (int) others[0]; i > 0; i--) {
        if (others[i] > 0) {
          if (action.test(others[i])) {
            others[i] = NONE;
          } else {
            isLeft = true;
          }
        }
      }
    }
    if (firstEntry > 0) {
      if (action.test(firstEntry)) {
        firstEntry = NONE;
      } else {
        isLeft = true;
      }
    }
    hasChunks = isLeft;
  }

  /**
   * Ends the group: frees all chunks that the cache takes and, if no others are left, all slots.
   * Has no effect if the group is not registered.
   *
   * @param allocator the allocator of the group
   * @return true if the group has ended; false if {@link #freeChunks} has chunks to free first
   */
  public final boolean tryEnd(SlabAllocator allocator) {
    Stripe held = stripe;
    if (held == null) {
      return true;
    }
    boolean isKeeping = hasChunks && allocator.isKeeping();
    Slab surplus = null;
    held.hold();
    try {
      if (isKeeping) {
        removeChunks(held.chunks()::free);
      }
      if (hasChunks) {
        return false;
      }
      surplus = freeSlots(held);
      held.remove(this);
    } finally {
      held.release();
    }
    if (surplus != null) {
      allocator.returnSlabs(surplus);
    }
    return true;
  }

  private @Nullable Slab freeSlots(Stripe held) {
    Slab surplus = null;
    if (others != null) {
      for (; others[0] > 0; others[0]--) {
        long entry = others[(int) others[0]];
        if (entry != NONE) {
          surplus = held.free(handle(entry), surplus);
        }
      }
    }
    if (firstEntry != NONE) {
      surplus = held.free(handle(firstEntry), surplus);
      firstEntry = NONE;
    }
    return surplus;
  }

  // Reading.

  /** {@return the addresses of all allocations} */
  public final List<Long> addresses() {
    Stripe known = stripe;
    if (known == null) {
      return List.of();
    }
    known.hold();
    try {
      return entries().stream()
          .map(entry -> entry > 0 ? entry : (Long) known.address(handle(entry)))
          .toList();
    } finally {
      known.release();
    }
  }

  /**
   * {@return the requested bytes of all allocations}
   *
   * @param allocator the allocator of the group
   */
  public final long requestedBytes(SlabAllocator allocator) {
    Stripe known = stripe;
    if (known == null) {
      return 0;
    }
    List<Long> entries;
    long bytes;
    known.hold();
    try {
      entries = entries();
      ToLongFunction<Long> requested = entry -> known.requestedBytes(handle(entry));
      bytes = entries.stream().filter(entry -> entry < 0).mapToLong(requested).sum();
    } finally {
      known.release();
    }
    return entries.stream()
        .filter(entry -> entry > 0)
        .flatMap(address -> allocator.chunk(address).stream())
        .mapToLong(Allocation::requestedBytes)
        .reduce(bytes, Long::sum);
  }

  /**
   * {@return the path of tags of the first allocation; empty if there is none}
   *
   * @param allocator the allocator of the group
   */
  public final String tag(SlabAllocator allocator) {
    Stripe known = stripe;
    if (known == null) {
      return "";
    }
    long entry;
    known.hold();
    try {
      entry = firstEntry;
      if (entry < 0 && entry != NONE) {
        return known.tag(handle(entry));
      }
    } finally {
      known.release();
    }
    return entry == NONE ? "" : allocator.chunk(entry).map(Allocation::tag).orElse("");
  }
}
