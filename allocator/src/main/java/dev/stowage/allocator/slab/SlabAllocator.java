package dev.stowage.allocator.slab;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.SlotCounts;
import dev.stowage.allocator.internal.SlotUse;
import dev.stowage.allocator.stripe.CacheStripe;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * Small and large memory of a {@link BfcAllocator}, in groups whose allocations are freed together.
 *
 * <p>A request of at most 4,096 bytes takes a slot of a slab. A slab is a chunk with 8 to 4,096
 * slots of one size. The first 16 requests of a size take chunks, so that few allocations need no
 * slab. A larger request takes a chunk of the cache or a new one, and so does each request if the
 * allocator has a listener, a history or stacks, or if JDK Flight Recorder records each allocation:
 * these see each chunk.
 *
 * <p>Safe for use by many threads. The slabs are divided into the stripes of the cache, each with a
 * lock. A thread begins with the stripe of its id, and moves to another one if it meets a thread
 * there. Taking a slot or a kept chunk, and freeing the slots and such chunks of a group, cost one
 * section of that lock each.
 *
 * <p>After mimalloc (Leijen, Zorn and de Moura, 2019) and jemalloc, whose small sizes are divided
 * in the same way.
 */
public final class SlabAllocator {

  /** The result of a request that gets no memory. */
  public static final long NONE = GroupEntries.NONE;

  private static final int IDS = 1024;

  private final BfcAllocator allocator;
  private final AllocatorInternals internals;

  /** Gets the address and the bytes of each slab before its first slot is used. */
  private final BiConsumer<Long, Long> visitor;

  private final Stripes stripes;

  /** True if no request may take a slot: each of them has an event of the allocator. */
  private final boolean isEachReported;

  /** True if groups take and free chunks of the cache. */
  private final boolean keepsChunks;

  /*
   * The allocations so far are all ids but those of slabs and those that no slot has had. The latter are
   * counted before they are given and read after all ids, so that no sum is too large.
   */

  /** The reserved ids that no stripe has, or not yet. */
  private final AtomicLong wastedIds = new AtomicLong();

  private final AtomicLong slabsGranted = new AtomicLong();

  /** The largest number of allocations that was read. */
  private final AtomicLong countedAllocations = new AtomicLong();

  /** The requests that wait for memory, here and in the private pools of one allocator. */
  private final AtomicInteger waiting;

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
    stripes = new Stripes(allocator, internals.stripes(), waiting);
  }

  private SlabAllocator reportingSlots() {
    internals.reportSlots(this::slotUse);
    return this;
  }

  /**
   * {@return an allocator of slots and chunks}
   *
   * @param allocator the source of chunks, which has no other user
   * @param visitor gets the address and the bytes of each slab before its first slot is used
   */
  public static SlabAllocator withSlabs(BfcAllocator allocator, BiConsumer<Long, Long> visitor) {
    return new SlabAllocator(allocator, visitor, true, new AtomicInteger()).reportingSlots();
  }

  /**
   * {@return an allocator of slots and chunks in a private pool}
   *
   * @param pool the source of chunks, which has no other user
   * @param above the slots and chunks of the allocator that the pool belongs to, with the visitor
   */
  public static SlabAllocator withSlabs(BfcAllocator pool, SlabAllocator above) {
    return new SlabAllocator(pool, above.visitor, true, above.waiting).reportingSlots();
  }

  /**
   * {@return an allocator of chunks only}
   *
   * @param allocator the source of chunks, which has no other user
   */
  public static SlabAllocator withoutSlabs(BfcAllocator allocator) {
    return new SlabAllocator(allocator, (_, _) -> {}, false, new AtomicInteger());
  }

  /** {@return the stripes, with the groups of this allocator} */
  public Stripes stripes() {
    return stripes;
  }

  // Slabs.

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
    return keepsChunks
        && bytes > SizeClasses.MAX_BYTES
        && bytes <= CacheStripe.MAX_BYTES
        && alignment <= SizeClasses.CHUNK_ALIGNMENT_BYTES
        && !internals.isEachRecorded();
  }

  /** {@return true if the cache may take chunks that are freed} */
  boolean isKeeping() {
    return keepsChunks && !internals.isEachRecorded();
  }

  /** {@return the origin of a request of this thread for a chunk of the cache} */
  Object origin(AllocationTag tag) {
    return internals.origin(tag);
  }

  /** Adds ids, and a slab if it has slots and there is memory, to a stripe that misses them. */
  void supply(Stripe stripe, int sizeClass, int slots, boolean needsIds) {
    if (needsIds) {
      wastedIds.addAndGet(IDS);
      addIds(stripe, internals.reserveIds(IDS));
    }
    if (slots > 0) {
      slabsGranted.incrementAndGet();
      OptionalLong address = internals.tryAllocateSlab((long) slots * SizeClasses.bytes(sizeClass));
      if (address.isPresent()) {
        addSlab(stripe, sizeClass, address.getAsLong(), slots);
      } else {
        slabsGranted.decrementAndGet();
      }
    }
  }

  private void addIds(Stripe stripe, long first) {
    stripe.hold();
    try {
      if (stripe.addIds(first, IDS)) { // unless another thread has added some
        wastedIds.addAndGet(-IDS);
      }
    } finally {
      stripe.release();
    }
  }

  private void addSlab(Stripe stripe, int sizeClass, long address, int slots) {
    visitor.accept(address, (long) slots * SizeClasses.bytes(sizeClass));
    boolean isAdded = false;
    stripe.hold();
    try {
      stripe.addSlab(sizeClass, address, slots);
      isAdded = true;
    } finally {
      stripe.release();
      if (!isAdded) { // the heap is full
        allocator.free(address);
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
    List<RuntimeException> failures = new ArrayList<>();
    Slab slab = first;
    while (slab != null) {
      try {
        allocator.free(slab.address);
      } catch (RuntimeException failure) { // the slab is free
        failures.add(failure);
      }
      slab = slab.next;
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  /** Lets slabs be returned as soon as they are empty, until {@link #endWait()}. */
  public void beginWait() {
    waiting.incrementAndGet();
  }

  /** Ends a wait. */
  public void endWait() {
    waiting.decrementAndGet();
  }

  /** {@return the allocation of a chunk in use} */
  Optional<Allocation> chunk(long address) {
    return allocator.allocation(address);
  }

  // Reading.

  /**
   * {@return the statistics of the allocator, with slots in the place of slabs}
   *
   * <p>Empty slabs are returned first. The bytes in use include the free slots of other slabs. If
   * other threads allocate meanwhile, the counts of slots and chunks are of different moments.
   */
  public AllocatorStatistics statistics() {
    return internals.statistics(ids -> {
      SlotCounts counts = counts(new SlotSums(), SlotSums::add);
      long counted = countedAllocations.accumulateAndGet(ids + counts.allocations(), Math::max);
      return new SlotCounts(
          counted - ids, counts.inUse(), counts.requestedBytes(), counts.bytesInUse());
    });
  }

  /** {@return the slots, for reports} */
  private SlotUse slotUse() {
    SlotSums sums = new SlotSums();
    return new SlotUse(counts(sums, SlotSums::addWithHolders), sums.holders());
  }

  private SlotCounts counts(SlotSums sums, BiConsumer<SlotSums, Stripe> reading) {
    long wasted = wastedIds.get(); // before a stripe gets them
    stripes.forEachHeld(stripe -> reading.accept(sums, stripe));
    return sums.counts(-wasted - slabsGranted.get());
  }

  /**
   * {@return the allocations in use by ascending address: chunks and slots, and no slabs; costs
   * O(chunks + slots)}
   *
   * <p>If other threads allocate meanwhile, the slots and the chunks are of different moments.
   */
  public List<Allocation> allocations() {
    List<Allocation> allocations = new ArrayList<>(allocator.allocations());
    stripes.forEachHeld(stripe -> stripe.forEachSlab(slab -> addSlots(slab, allocations)));
    allocations.sort(Comparator.comparingLong(Allocation::address));
    return List.copyOf(allocations);
  }

  private void addSlots(Slab slab, List<Allocation> allocations) {
    for (int slot = 0; slot < slab.slots; slot++) {
      if (slab.isUsed(slot)) {
        allocations.add(
            internals.allocation(
                slab.id(slot),
                slab.address(slot),
                slab.requestedBytes(slot),
                slab.slotBytes(),
                slab.tag(slot)));
      }
    }
  }

  /**
   * {@return the regions with all their chunks, free ones included, and the slots of slabs; costs
   * O(chunks + slots)}
   *
   * <p>If other threads allocate meanwhile, the slots and the chunks are of different moments.
   */
  public List<RegionChunks> chunks() {
    List<RegionChunks> regions = allocator.chunks();
    Map<Long, RegionChunks.Slots> slots = new HashMap<>();
    stripes.forEachHeld(
        stripe -> stripe.forEachSlab(slab -> slots.put(slab.address, slab.counts())));
    return regions.stream()
        .map(region -> region.withSlots(address -> Optional.ofNullable(slots.get(address))))
        .toList();
  }

  /**
   * Checks the invariants, for tests, while no other thread uses the allocator.
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  public void checkInvariants() {
    internals.checkInvariants();
    Set<Long> slabs = new HashSet<>();
    stripes.forEachHeld(stripe -> new StripeCheck(stripe).run(slabs));
    Set<Long> inChunks = new HashSet<>(internals.slabAddresses());
    if (!inChunks.equals(slabs)) {
      throw new AssertionError("S7 the slabs are not those of the allocator: " + slabs);
    }
  }
}
