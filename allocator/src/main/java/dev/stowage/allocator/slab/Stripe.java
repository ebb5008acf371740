package dev.stowage.allocator.slab;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.internal.SlotUse;
import dev.stowage.allocator.stripe.CacheStripe;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A stripe of the cache that also has slabs and groups, behind the same lock. */
final class Stripe extends CacheStripe {

  /*
   * A slab with a free slot is in the list of its class. A full slab is in no list. If a slab loses
   * its last allocation and is not alone in its list, it goes back to the allocator. A class
   * therefore keeps at most one empty slab.
   *
   *   S3  a used slot belongs to exactly one group of the stripe;
   *   S4  a slab is in the list of its class if and only if it has a free slot;
   *   S5  a class has at most one empty slab.
   *
   * A thread with the lock calls no foreign code, no allocator and no other stripe. Only `SlabAllocator`
   * holds several stripes, by ascending index.
   */

  static final int NONE = -1;

  /** The shift of the index of a slab in a handle; the lower bits are the slot. */
  private static final int SLAB_SHIFT = 12;

  private static final int MAX_SLABS = 1 << (Integer.SIZE - 1 - SLAB_SHIFT);

  /** The requests of a class that take chunks before the first slab. */
  private static final int FIRST_CHUNKS = 16;

  private static final int MIN_SLAB_BYTES = 4 << 10;
  private static final int MAX_SLAB_BYTES = 64 << 10;
  private static final int MIN_SLOTS = 8;

  private static final int MAX_GROUP_IDS = 256;

  /** The numbers of groups that all stripes share. */
  private final AtomicLong allGroupIds;

  /** The requests that wait for memory; if there are any, no slab stays empty. */
  private final AtomicInteger waiting;

  /** The first slab of each list. */
  private final @Nullable Slab[] lists = new Slab[SizeClasses.COUNT];

  private final int[] requests = new int[SizeClasses.COUNT];
  private final int[] slotsOfClass = new int[SizeClasses.COUNT];

  /** The slabs by index. */
  private @Nullable Slab[] slabs = new Slab[4];

  /** The indexes of slabs. */
  private final BitSet indexes = new BitSet();

  private final GroupList groups = new GroupList();
  private long nextGroupId;
  private long endOfGroupIds;
  private int groupIds;

  /** The requests so far that took a slot. */
  private long allocations;

  /**
   * Creates a stripe without slabs.
   *
   * @param noOrigin the origin of requests without a tag
   * @param allGroupIds the next number of a group of any stripe
   * @param waiting the requests that wait for memory
   */
  Stripe(Object noOrigin, AtomicLong allGroupIds, AtomicInteger waiting) {
    super(noOrigin);
    this.allGroupIds = allGroupIds;
    this.waiting = waiting;
  }

  // Slots.

  /** {@return the handle of a free slot, now used; {@link #NONE} if the class has none} */
  int takeSlot(int sizeClass, int bytes, AllocationTag tag) {
    Slab slab = lists[sizeClass];
    if (slab == null) {
      return NONE;
    }
    int slot = slab.take(bytes, tag);
    if (slab.isFull()) {
      unlink(slab);
    }
    allocations++;
    return slab.index << SLAB_SHIFT | slot;
  }

  /**
   * {@return the slots of the slab that a class needs; 0 if it has a free slot, or its requests
   * take chunks}
   */
  int slotsWanted(int sizeClass) {
    if (lists[sizeClass] != null) {
      return 0;
    }
    if (requests[sizeClass] < FIRST_CHUNKS) {
      requests[sizeClass]++;
      return 0;
    }
    if (indexes.nextClearBit(0) == MAX_SLABS) {
      return 0;
    }
    int slotBytes = SizeClasses.bytes(sizeClass);
    int least = Math.max(MIN_SLOTS, MIN_SLAB_BYTES / slotBytes);
    int most = Math.max(MIN_SLOTS, MAX_SLAB_BYTES / slotBytes);
    // A class doubles its slots.
    return Math.clamp(slotsOfClass[sizeClass], least, Math.min(most, Slab.MAX_SLOTS));
  }

  void addSlab(int sizeClass, long address, int slots) {
    Slab slab = new Slab(indexes.nextClearBit(0), sizeClass, address, slots);
    if (slab.index == slabs.length) {
      slabs = Arrays.copyOf(slabs, 2 * slab.index);
    }
    indexes.set(slab.index);
    slabs[slab.index] = slab;
    slotsOfClass[sizeClass] += slots;
    link(slab);
  }

  private Slab slab(int handle) {
    Slab slab = slabs[handle >>> SLAB_SHIFT];
    if (slab == null) {
      throw new AssertionError("S3 a group has a slot of no slab: handle=" + handle);
    }
    return slab;
  }

  private static int slot(int handle) {
    return handle & (1 << SLAB_SHIFT) - 1;
  }

  long address(int handle) {
    return slab(handle).address(slot(handle));
  }

  SlotUse.Slot use(int handle) {
    return slab(handle).use(slot(handle));
  }

  boolean isUsed(int handle) {
    return slab(handle).isUsed(slot(handle));
  }

  /**
   * Frees a slot.
   *
   * @param surplus the first slab that the caller has to return, or null
   * @return the first slab that the caller has to return, or null
   */
  @Nullable Slab freeSlot(int handle, @Nullable Slab surplus) {
    Slab slab = slab(handle);
    boolean wasFull = slab.isFull();
    slab.free(slot(handle));
    if (wasFull) {
      link(slab);
    }
    if (!slab.isEmpty()) {
      return surplus;
    }
    boolean isOnly = slab.previous == null && slab.next == null;
    return isOnly && waiting.get() == 0 ? surplus : remove(slab, surplus);
  }

  /** Removes an empty slab and {@return it as the first slab to return} */
  private Slab remove(Slab slab, @Nullable Slab surplus) {
    unlink(slab);
    slabs[slab.index] = null;
    indexes.clear(slab.index);
    slotsOfClass[slab.sizeClass] -= slab.slots;
    slab.next = surplus;
    return slab;
  }

  @Override
  public void removeEmptySlabs(LongConsumer action) {
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      Slab slab = lists[sizeClass];
      while (slab != null) {
        Slab following = slab.next;
        if (slab.isEmpty()) {
          action.accept(remove(slab, null).address);
        }
        slab = following;
      }
    }
  }

  private void link(Slab slab) {
    Slab first = lists[slab.sizeClass];
    slab.next = first;
    slab.previous = null;
    if (first != null) {
      first.previous = slab;
    }
    lists[slab.sizeClass] = slab;
  }

  private void unlink(Slab slab) {
    Slab before = slab.previous;
    Slab after = slab.next;
    if (before == null) {
      lists[slab.sizeClass] = after;
    } else {
      before.next = after;
    }
    if (after != null) {
      after.previous = before;
    }
    slab.previous = null;
    slab.next = null;
  }

  // Groups.

  /** Adds a group and {@return its number} */
  long add(AllocationGroup group) {
    if (nextGroupId == endOfGroupIds) {
      // A pool of one thread numbers its groups without gaps; many threads share few ranges.
      groupIds = Math.clamp(2L * groupIds, 1, MAX_GROUP_IDS);
      nextGroupId = allGroupIds.getAndAdd(groupIds);
      endOfGroupIds = nextGroupId + groupIds;
    }
    groups.add(group);
    return nextGroupId++;
  }

  void remove(AllocationGroup group) {
    groups.remove(group);
  }

  void forEachGroup(Consumer<AllocationGroup> action) {
    groups.forEach(action);
  }

  // Reading.

  void forEachSlab(Consumer<Slab> action) {
    for (Slab slab : slabs) {
      if (slab != null) {
        action.accept(slab);
      }
    }
  }

  /** {@return the requests so far that took a slot} */
  long allocations() {
    return allocations;
  }

  /**
   * Checks S1 to S5, and adds the addresses of the slabs to a set.
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  void checkSlabs(Set<Long> addresses) {
    int used = 0;
    int[] listed = new int[SizeClasses.COUNT];
    int[] empty = new int[SizeClasses.COUNT];
    for (Slab slab : slabs) {
      if (slab != null) {
        slab.checkInvariants();
        check(addresses.add(slab.address), "S7 two slabs are one chunk");
        used += slab.counts().inUse();
        listed[slab.sizeClass] += slab.isFull() ? 0 : 1;
        empty[slab.sizeClass] += slab.isEmpty() ? 1 : 0;
      }
    }
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      for (Slab slab = lists[sizeClass]; slab != null; slab = slab.next) {
        check(!slab.isFull() && slab.sizeClass == sizeClass, "S4 a slab is in a wrong list");
        listed[sizeClass]--;
      }
      check(listed[sizeClass] == 0, "S4 a slab with free slots is in no list");
      check(empty[sizeClass] <= 1, "S5 a class has two empty slabs");
    }
    AtomicInteger slots = new AtomicInteger();
    groups.forEach(group -> slots.addAndGet(group.checkSlots(this)));
    check(used == slots.get(), "S3 a used slot belongs to no group, or to two");
  }
}
