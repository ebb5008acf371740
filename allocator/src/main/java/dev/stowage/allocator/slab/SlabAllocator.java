package dev.stowage.allocator.slab;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.Failures;
import dev.stowage.allocator.internal.SlotUse;
import dev.stowage.allocator.stripe.CacheStripe;
import dev.stowage.allocator.stripe.CacheStripes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Small and large memory of a {@link BfcAllocator}, in groups of allocations that end together.
 *
 * <p>A request of at most 4,096 bytes takes a slot of a slab. A slab is a chunk with 8 to 4,096
 * slots of one size. The first 16 requests of a size take chunks, so that few allocations need no
 * slab. A larger request takes a chunk of the cache or a new one. If the allocator has a listener
 * or stacks, or if JDK Flight Recorder records each allocation, each request takes a chunk, so that
 * they see it.
 *
 * <p>Safe for use by many threads. The slabs are divided into the stripes of the cache, each with a
 * lock. A thread begins with the stripe of its id, and moves to another one if it meets a thread
 * there. Taking a slot or a kept chunk costs one section of that lock. Freeing the slots and the
 * kept chunks of a group costs one section, too.
 *
 * <p>The statistics and reports of the allocator show the slots. If other threads allocate
 * meanwhile, the slots are of a later moment than the chunks.
 *
 * <p>After mimalloc (Leijen, Zorn and de Moura, 2019) and jemalloc, which divide small sizes in the
 * same way.
 */
public final class SlabAllocator {

  /** The result of a request that gets no memory. */
  public static final long NONE = AllocationGroup.NONE;

  private final BfcAllocator allocator;
  private final AllocatorInternals internals;

  /** Gets the address and the bytes of each slab before its first slot is used. */
  private final BiConsumer<Long, Long> visitor;

  private final CacheStripes cache;
  private final Stripe[] stripes;

  /** True if no request may take a slot: each of them has an event of the allocator. */
  private final boolean isEachReported;

  /** True if groups take and free chunks of the cache. */
  private final boolean keepsChunks;

  /** The requests that wait for memory, here and in the private pools of one allocator. */
  private final AtomicInteger waiting;

  /** Written with all stripes. */
  private volatile State state = State.OPEN;

  /** The acceptance of new groups. */
  private enum State {
    OPEN,

    /** New groups are rejected while a thread tries to end the registered ones. */
    CLOSING,

    CLOSED
  }

  private SlabAllocator(
      BfcAllocator allocator,
      BiConsumer<Long, Long> visitor,
      boolean hasSlabs,
      AtomicInteger waiting) {
    this.allocator = allocator;
    this.visitor = visitor;
    this.waiting = waiting;
    internals = AllocatorInternals.of(allocator);
    isEachReported = !hasSlabs || internals.isEachReported();
    keepsChunks = hasSlabs && internals.turnOnCache();
    AtomicLong groupIds = new AtomicLong();
    cache = internals.useStripes(noOrigin -> new Stripe(noOrigin, groupIds, waiting));
    stripes = new Stripe[cache.count()];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = (Stripe) cache.get(i);
    }
    internals.reportSlots(this::read);
  }

  /**
   * {@return an allocator of slots and chunks}
   *
   * @param allocator the source of chunks, which has no other user
   * @param visitor gets the address and the bytes of each slab before its first slot is used
   */
  public static SlabAllocator withSlabs(BfcAllocator allocator, BiConsumer<Long, Long> visitor) {
    return new SlabAllocator(allocator, visitor, true, new AtomicInteger());
  }

  /**
   * {@return an allocator of slots and chunks in a private pool}
   *
   * @param pool the source of chunks, which has no other user
   * @param above the slots and chunks of the allocator that the pool belongs to, with the visitor
   */
  public static SlabAllocator withSlabs(BfcAllocator pool, SlabAllocator above) {
    return new SlabAllocator(pool, above.visitor, true, above.waiting);
  }

  /**
   * {@return an allocator of chunks only}
   *
   * @param allocator the source of chunks, which has no other user
   */
  public static SlabAllocator withoutSlabs(BfcAllocator allocator) {
    return new SlabAllocator(allocator, (_, _) -> {}, false, new AtomicInteger());
  }

  // Requests.

  /** {@return the class of slots for a request; {@link SizeClasses#NONE} if it takes a chunk} */
  int sizeClass(long bytes, long alignment) {
    return isEachReported || internals.isEachRecorded()
        ? SizeClasses.NONE
        : SizeClasses.of(bytes, alignment);
  }

  /** {@return true if memory for a request that is no new chunk is a slot, and no kept chunk} */
  public static boolean isSlot(long bytes) {
    return bytes <= SizeClasses.MAX_BYTES;
  }

  /** {@return true if the cache may have a chunk for a request} */
  boolean mayHaveKept(long bytes, long alignment) {
    return bytes > SizeClasses.MAX_BYTES
        && bytes <= CacheStripe.MAX_BYTES
        && alignment <= SizeClasses.CHUNK_ALIGNMENT_BYTES
        && isKeeping();
  }

  /** {@return true if the cache may take chunks that are freed} */
  boolean isKeeping() {
    return keepsChunks && !internals.isEachRecorded();
  }

  /** {@return the origin of a request of this thread for a chunk of the cache} */
  Object origin(AllocationTag tag) {
    return internals.origin(tag);
  }

  /** Locks a stripe, if possible the same as last time, and {@return it} */
  Stripe holdFree() {
    return stripes[cache.holdFree()];
  }

  /** Adds a slab to a stripe, if there is memory. */
  void supply(Stripe stripe, int sizeClass, int slots) {
    long bytes = (long) slots * SizeClasses.bytes(sizeClass);
    OptionalLong address = internals.tryAllocateSlab(bytes);
    if (address.isEmpty()) {
      return;
    }
    visitor.accept(address.getAsLong(), bytes);
    boolean isAdded = false;
    try (CacheStripe _ = stripe.hold()) {
      stripe.addSlab(sizeClass, address.getAsLong(), slots);
      isAdded = true;
    } finally {
      if (!isAdded) { // the heap is full
        allocator.free(address.getAsLong());
      }
    }
  }

  /**
   * Returns slabs to the allocator.
   *
   * <p>If the sub-allocator throws for memory that it gets back, this method still returns the
   * others, and then throws the first exception.
   */
  void returnSlabs(Slab first) {
    Failures failures = new Failures();
    Slab slab = first;
    while (slab != null) {
      long address = slab.address;
      failures.attempt(() -> allocator.free(address));
      slab = slab.next;
    }
    failures.throwFirst();
  }

  /** Lets slabs be returned as soon as they are empty, until {@link #endWait()}. */
  public void beginWait() {
    waiting.incrementAndGet();
  }

  /** Ends a wait. */
  public void endWait() {
    waiting.decrementAndGet();
  }

  // Groups.

  /** {@return true if new groups are accepted} */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** {@return true if {@link #close()} was called, after which new groups are rejected} */
  public boolean isClosed() {
    return state == State.CLOSED;
  }

  void checkOpen() {
    if (!isOpen()) {
      throw new IllegalStateException(allocator + (isClosed() ? " is closed" : " is being closed"));
    }
  }

  /** {@return the registered groups in the order of their registration} */
  public List<AllocationGroup> groups() {
    List<AllocationGroup> groups = new ArrayList<>();
    withAll(() -> addGroups(groups));
    groups.sort(Comparator.comparingLong(AllocationGroup::id));
    return groups;
  }

  private void addGroups(List<AllocationGroup> groups) {
    for (Stripe stripe : stripes) {
      stripe.forEachGroup(groups::add);
    }
  }

  /**
   * Rejects new groups if the registered ones fulfil a condition, until {@link #reopen()} or {@link
   * #close()}.
   *
   * @param condition must not call this allocator or a group
   * @return true if they do
   */
  public boolean closeIf(Predicate<List<AllocationGroup>> condition) {
    withAll(() -> {
      List<AllocationGroup> groups = new ArrayList<>();
      addGroups(groups);
      if (condition.test(groups)) {
        state = State.CLOSING;
      }
    });
    return state == State.CLOSING;
  }

  /** Accepts new groups again. */
  public void reopen() {
    withAll(() -> state = State.OPEN);
  }

  /** Rejects new groups from now on. */
  public void close() {
    withAll(() -> state = State.CLOSED);
  }

  /** Runs an action while the thread holds all stripes. */
  private void withAll(Runnable action) {
    int held = 0;
    try {
      for (Stripe stripe : stripes) {
        stripe.hold();
        held++;
      }
      action.run();
    } finally {
      while (held > 0) {
        stripes[--held].close();
      }
    }
  }

  // Reading.

  /** {@return the slots; each of them only if asked for} */
  private SlotUse read(boolean isEach) {
    Map<Long, RegionChunks.Slots> slabs = new HashMap<>();
    List<SlotUse.Slot> slots = new ArrayList<>();
    long allocations = 0;
    for (Stripe stripe : stripes) {
      try (CacheStripe _ = stripe.hold()) {
        allocations += stripe.allocations();
        stripe.forEachSlab(slab -> {
          slabs.put(slab.address, slab.counts());
          if (isEach) {
            slab.uses().forEach(slots::add);
          }
        });
      }
    }
    return new SlotUse(allocations, slabs, slots);
  }

  /** {@return a chunk in use; without bytes if it is not in use} */
  SlotUse.Slot chunk(long address) {
    return allocator
        .allocation(address)
        .map(one -> new SlotUse.Slot(one.address(), one.requestedBytes(), one.bytes(), one.tag()))
        .orElse(new SlotUse.Slot(address, 0, 0, ""));
  }

  /**
   * Checks the invariants, for tests, while no other thread uses the allocator.
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  public void checkInvariants() {
    internals.checkInvariants();
    Set<Long> slabs = new HashSet<>();
    for (Stripe stripe : stripes) {
      try (CacheStripe _ = stripe.hold()) {
        stripe.checkSlabs(slabs);
      }
    }
    Set<Long> inChunks = new HashSet<>(internals.slabAddresses());
    if (!inChunks.equals(slabs)) {
      throw new AssertionError("S7 the allocator has other slabs: " + slabs);
    }
  }
}
