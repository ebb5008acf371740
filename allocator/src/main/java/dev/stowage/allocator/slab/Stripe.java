package dev.stowage.allocator.slab;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.stripe.CacheLinePadding;
import dev.stowage.allocator.stripe.CacheStripe;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Slabs and groups beside kept chunks, behind their lock, in cache lines of their own. */
final class Stripe extends CacheLinePadding {

  /*
   * A slab with a free slot is in the list of its class; a full one is in no list. A slab that loses
   * its last allocation goes back to the allocator if its list has another one, so that a class keeps
   * at most one empty slab.
   *
   *   S3  a used slot belongs to exactly one group of the stripe;
   *   S4  a slab is in the list of its class if and only if it has a free slot;
   *   S5  a class has at most one empty slab;
   *   S6  the requested bytes of the stripe are the sum over its slabs.
   *
   * No code that holds the lock calls foreign code, the allocator or another stripe, except
   * `Stripes`, which holds all of them by ascending index.
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

  /** The chunks that are kept for the threads of this stripe, with the lock. */
  private final CacheStripe chunks;

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

  /** The unused indexes below the length of {@code slabs}, as a stack. */
  private int[] indexes = {3, 2, 1, 0};

  private int indexCount = indexes.length;

  private final GroupList groups = new GroupList();
  private long nextGroupId;
  private long endOfGroupIds;
  private int groupIds;

  private long nextId;
  private long endOfIds;

  private long requestedBytes;

  /**
   * Creates a stripe without slabs.
   *
   * @param chunks the chunks that are kept for its threads, with its lock
   * @param allGroupIds the next number of a group of any stripe
   * @param waiting the requests that wait for memory
   */
  Stripe(CacheStripe chunks, AtomicLong allGroupIds, AtomicInteger waiting) {
    this.chunks = chunks;
    this.allGroupIds = allGroupIds;
    this.waiting = waiting;
  }

  /** {@return the chunks that are kept for the threads of this stripe} */
  CacheStripe chunks() {
    return chunks;
  }

  void hold() {
    chunks.hold();
  }

  void release() {
    chunks.close();
  }

  // Slots.

  /**
   * {@return the handle of a free slot, now used; {@link #NONE} if the class has no slab with one,
   * or an id is missing}
   */
  int take(int sizeClass, int bytes, AllocationTag tag) {
    Slab slab = lists[sizeClass];
    if (slab == null || nextId == endOfIds) {
      return NONE;
    }
    int slot = slab.take(bytes, nextId++, tag);
    if (slab.isFull()) {
      unlink(slab);
    }
    requestedBytes += bytes;
    return slab.index << SLAB_SHIFT | slot;
  }

  /** {@return true if there is no id for a slot} */
  boolean needsIds() {
    return nextId == endOfIds;
  }

  /** Adds ids and returns true, or returns false if there are some. */
  boolean addIds(long first, int count) {
    if (!needsIds()) {
      return false;
    }
    nextId = first;
    endOfIds = first + count;
    return true;
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
    if (indexCount == 0 && slabs.length == MAX_SLABS) {
      return 0;
    }
    int slotBytes = SizeClasses.bytes(sizeClass);
    int least = Math.max(MIN_SLOTS, MIN_SLAB_BYTES / slotBytes);
    int most = Math.max(MIN_SLOTS, MAX_SLAB_BYTES / slotBytes);
    // A class doubles its slots.
    return Math.clamp(slotsOfClass[sizeClass], least, Math.min(most, Slab.MAX_SLOTS));
  }

  void addSlab(int sizeClass, long address, int slots) {
    if (indexCount == 0) {
      growSlabs();
    }
    Slab slab = new Slab(indexes[--indexCount], sizeClass, address, slots);
    slabs[slab.index] = slab;
    slotsOfClass[sizeClass] += slots;
    link(slab);
  }

  private void growSlabs() {
    int length = slabs.length;
    slabs = Arrays.copyOf(slabs, 2 * length);
    indexes = new int[2 * length];
    for (int index = 2 * length - 1; index >= length; index--) {
      indexes[indexCount++] = index;
    }
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

  int requestedBytes(int handle) {
    return slab(handle).requestedBytes(slot(handle));
  }

  String tag(int handle) {
    return slab(handle).tag(slot(handle));
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
  @Nullable Slab free(int handle, @Nullable Slab surplus) {
    Slab slab = slab(handle);
    boolean wasFull = slab.isFull();
    requestedBytes -= slab.free(slot(handle));
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
    indexes[indexCount++] = slab.index;
    slotsOfClass[slab.sizeClass] -= slab.slots;
    slab.next = surplus;
    return slab;
  }

  /** Removes the empty slabs, and calls an action with the address of each. */
  void removeEmpty(LongConsumer action) {
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
  long add(GroupEntries group) {
    if (nextGroupId == endOfGroupIds) {
      // A pool of one thread numbers its groups without gaps; many threads share few ranges.
      groupIds = Math.clamp(2L * groupIds, 1, MAX_GROUP_IDS);
      nextGroupId = allGroupIds.getAndAdd(groupIds);
      endOfGroupIds = nextGroupId + groupIds;
    }
    groups.add(group);
    return nextGroupId++;
  }

  void remove(GroupEntries group) {
    groups.remove(group);
  }

  void forEachGroup(Consumer<GroupEntries> action) {
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

  /** {@return the ids that no slot has had} */
  long unusedIds() {
    return endOfIds - nextId;
  }

  long requestedBytes() {
    return requestedBytes;
  }

  /** {@return the first slab of a list, or null} */
  @Nullable Slab list(int sizeClass) {
    return lists[sizeClass];
  }
}
