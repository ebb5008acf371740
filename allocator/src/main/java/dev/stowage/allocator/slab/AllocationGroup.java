package dev.stowage.allocator.slab;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.internal.SlotUse;
import dev.stowage.allocator.stripe.CacheStripe;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Allocations that are freed together; the base of the objects that own them.
 *
 * <p>A group belongs to the groups of its allocator from its registration, at the latest by its
 * first request, to its end. The subclass must order the registration before all requests of other
 * threads, and all requests before {@link #freeChunks} and the end.
 */
public abstract class AllocationGroup {

  /*
   * Most groups live shortly and have one allocation. Each of their bytes counts: 100 bytes of the heap
   * take 10 ns. The subclass is therefore the group, and has no object for it.
   *
   * An entry is the address of a chunk, the handle of a slot without its sign, or NONE after the chunk
   * was freed. The lock of the stripe guards the entries.
   */

  static final long NONE = Long.MIN_VALUE;

  /** The neighbours in the list of the stripe. */
  @Nullable AllocationGroup previous;

  @Nullable AllocationGroup next;

  /** The stripe that has all slots of this group; null before the registration. */
  private @Nullable Stripe stripe;

  private long id;
  private long firstEntry = NONE;

  /** The number of other entries, and these; null if there are none. */
  private long @Nullable [] others;

  private boolean hasChunks;

  /** Creates a group that is not registered. */
  protected AllocationGroup() {}

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
      hold(allocator).close();
    }
  }

  /** Locks the stripe of this group and {@return it} */
  private Stripe hold(SlabAllocator allocator) {
    Stripe known = stripe;
    if (known != null) {
      known.hold();
      return known;
    }
    Stripe free = allocator.holdFree();
    boolean isAdded = false;
    try {
      allocator.checkOpen();
      id = free.add(this);
      stripe = free;
      isAdded = true;
    } finally {
      if (!isAdded) {
        free.close();
      }
    }
    return free;
  }

  // Requests.

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
    try (held) {
      long address = take(held, sizeClass, (int) bytes, tag);
      slots = address == NONE ? held.slotsWanted(sizeClass) : 0;
      if (slots == 0) {
        return address;
      }
    }
    // A request to the allocator waits for its lock, and may get memory from the device.
    allocator.supply(held, sizeClass, slots);
    try (CacheStripe _ = held.hold()) {
      return take(held, sizeClass, (int) bytes, tag);
    }
  }

  /** {@return the address of a slot, or NONE, with the lock of the stripe} */
  private long take(Stripe held, int sizeClass, int bytes, AllocationTag tag) {
    makeRoom();
    int handle = held.takeSlot(sizeClass, bytes, tag);
    if (handle == Stripe.NONE) {
      return NONE;
    }
    add(~(long) handle);
    return held.address(handle);
  }

  /** {@return the address of a chunk of the cache, which the group then has, or NONE} */
  private long takeKept(SlabAllocator allocator, long bytes, long alignment) {
    if (!allocator.mayHaveKept(bytes, alignment)) {
      register(allocator);
      return NONE;
    }
    Object origin = allocator.origin(AllocationTag.current());
    try (Stripe held = hold(allocator)) {
      makeRoom();
      long address = held.take(bytes, origin);
      if (address == CacheStripe.NO_ADDRESS) {
        return NONE;
      }
      add(address);
      hasChunks = true;
      return address;
    }
  }

  /**
   * Adds a chunk of the allocator to this group.
   *
   * @param allocator the allocator of all requests of this group
   * @param address the address of the chunk
   */
  public final void addChunk(SlabAllocator allocator, long address) {
    try (Stripe _ = hold(allocator)) {
      makeRoom();
      add(address);
      hasChunks = true;
    }
  }

  /** Makes room for one more entry. */
  private void makeRoom() {
    if (firstEntry != NONE) {
      if (others == null) {
        others = new long[8];
      } else if (others[0] + 1 == others.length) {
        others = Arrays.copyOf(others, 2 * others.length);
      }
    }
  }

  /** Adds an entry, for which there is room. */
  private void add(long entry) {
    if (firstEntry == NONE) {
      firstEntry = entry;
    } else if (others != null) {
      others[(int) ++others[0]] = entry;
    }
  }

  // Entries, by their indexes: the first one has 0.

  private int lastIndex() {
    return others == null ? 0 : (int) others[0];
  }

  private long entry(int index) {
    return index == 0 || others == null ? firstEntry : others[index];
  }

  private void remove(int index) {
    if (index == 0 || others == null) {
      firstEntry = NONE;
    } else {
      others[index] = NONE;
    }
  }

  private static int handle(long entry) {
    return (int) ~entry;
  }

  // The end.

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
    for (int i = lastIndex(); i >= 0; i--) {
      long entry = entry(i);
      if (entry > 0) {
        if (action.test(entry)) {
          remove(i);
        } else {
          isLeft = true;
        }
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
    try (CacheStripe _ = held.hold()) {
      if (isKeeping) {
        removeChunks(held::free);
      }
      if (hasChunks) {
        return false;
      }
      for (int i = lastIndex(); i >= 0; i--) {
        long entry = entry(i);
        if (entry != NONE) {
          surplus = held.freeSlot(handle(entry), surplus);
          remove(i);
        }
      }
      held.remove(this);
    }
    if (surplus != null) {
      allocator.returnSlabs(surplus);
    }
    return true;
  }

  // Reading.

  /**
   * {@return all allocations, the first one first; a chunk that is not in use has no bytes}
   *
   * @param allocator the allocator of the group
   */
  public final List<SlotUse.Slot> allocations(SlabAllocator allocator) {
    Stripe known = stripe;
    if (known == null) {
      return List.of();
    }
    Map<Long, Optional<SlotUse.Slot>> slots = new LinkedHashMap<>();
    try (CacheStripe _ = known.hold()) {
      for (int i = 0; i <= lastIndex(); i++) {
        long entry = entry(i);
        if (entry != NONE) {
          boolean isSlot = entry < 0;
          slots.put(entry, isSlot ? Optional.of(known.use(handle(entry))) : Optional.empty());
        }
      }
    }
    return slots.entrySet().stream()
        .map(each -> each.getValue().orElseGet(() -> allocator.chunk(each.getKey())))
        .toList();
  }

  /** Checks S3 for the slots of this group, with the lock of its stripe; {@return their number} */
  final int checkSlots(Stripe held) {
    int count = 0;
    for (int i = 0; i <= lastIndex(); i++) {
      long entry = entry(i);
      if (entry < 0 && entry != NONE) {
        count++;
        if (!held.equals(stripe) || !held.isUsed(handle(entry))) {
          throw new AssertionError("S3 a group has a free slot: group=" + id);
        }
      }
    }
    return count;
  }
}
