package dev.stowage.core.bfc;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Best fit with coalescing over the regions of a device, as TensorFlow's BFC allocator.
 *
 * <p>A request is rounded up to 256 bytes and takes the smallest free chunk that holds it, the
 * lowest of equal ones. A freed chunk grows together with free neighbours. Where no chunk is large
 * enough, memory is added as {@link RegionGrowth} says. Addresses depend on nothing but the
 * requests and what the sub-allocator answers.
 *
 * <p>Safe for use by many threads. Allocating and freeing cost O(log c) for c chunks. A request at
 * an alignment above 256 takes the smallest chunk that holds it there, if that is among the 1,024
 * smallest of enough bytes; else it takes the smallest chunk that holds it wherever it starts, or
 * more memory. A chunk costs at most 96 bytes of the heap, a byte of a region nothing.
 *
 * <p>From xla/tsl/framework/bfc_allocator (2026); placements are the same.
 */
public final class BfcAllocator implements AutoCloseable {

  private static final System.Logger LOGGER = System.getLogger(BfcAllocator.class.getPackageName());

  private static final int NONE = RegionSpace.NONE;
  private static final long QUANTUM_BYTES = ChunkTable.QUANTUM_BYTES;

  private final String name;
  private final BfcOptions options;
  private final AllocationListener listener;
  private final RegionSpace space;
  private final AllocationHistory history;
  private final ShortLock lock = new ShortLock();
  private final Waiters waiters = new Waiters();
  private final Waiters.Server server = new Server();

  /** Whether JDK Flight Recorder may have its events. */
  private final boolean isRecorded;

  /** Whether anyone wants to know of each allocation and free. */
  private final boolean observed;

  private final Callbacks callbacks;

  private boolean closed;

  /** A hint, written under the lock and read without: the table of chunks wants room. */
  private boolean roomIsWanted;

  /**
   * An allocator that holds nothing yet.
   *
   * @param name how messages call it
   * @param subAllocator what gives regions, at addresses that are multiples of its alignment
   * @param options how it grows, splits and gives up, and what it remembers
   * @throws IllegalArgumentException if the sub-allocator's granularity or alignment is no power of
   *     two from 256 on
   */
  public BfcAllocator(String name, SubAllocator subAllocator, BfcOptions options) {
    this(name, subAllocator, options, Optional.empty(), true);
  }

  /**
   * An allocator that holds nothing yet, and tells someone what it does.
   *
   * @param name how messages call it
   * @param subAllocator what gives regions, at addresses that are multiples of its alignment
   * @param options how it grows, splits and gives up, and what it remembers
   * @param listener who hears of each request and free
   * @throws IllegalArgumentException if the sub-allocator's granularity or alignment is no power of
   *     two from 256 on
   */
  public BfcAllocator(
      String name, SubAllocator subAllocator, BfcOptions options, AllocationListener listener) {
    this(name, subAllocator, options, Optional.of(listener), true);
  }

  /**
   * {@return an allocator of which JDK Flight Recorder has no events, for memory that is no part of
   * a program's: simulated, or tried out before}
   *
   * @param name how messages call it
   * @param subAllocator what gives regions, at addresses that are multiples of its alignment
   * @param options how it grows, splits and gives up, and what it remembers
   * @throws IllegalArgumentException if the sub-allocator's granularity or alignment is no power of
   *     two from 256 on
   */
  public static BfcAllocator unrecorded(
      String name, SubAllocator subAllocator, BfcOptions options) {
    return new BfcAllocator(name, subAllocator, options, Optional.empty(), false);
  }

  private BfcAllocator(
      String name,
      SubAllocator subAllocator,
      BfcOptions options,
      Optional<AllocationListener> listener,
      boolean isRecorded) {
    this.name = name;
    this.isRecorded = isRecorded;
    this.options = options;
    this.listener = listener.orElse(AllocationListener.none());
    history = new AllocationHistory(options.historyLength());
    observed = history.isKept() || listener.isPresent();
    callbacks = new Callbacks(name);
    SubAllocator told =
        isRecorded ? subAllocator.visitedBy(JfrEvents.extending(name)) : subAllocator;
    SubAllocator heard = history.isKept() ? told.visitedBy(history) : told;
    space = new RegionSpace(name, callbacks.noting(heard), options);
  }

  /**
   * {@return the address of fresh bytes}
   *
   * @param bytes how many bytes
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws BfcOutOfMemoryException if there is no room
   */
  public long allocate(long bytes) {
    return allocate(bytes, QUANTUM_BYTES);
  }

  /**
   * {@return the address of fresh bytes at a multiple of an alignment}
   *
   * @param bytes how many bytes
   * @param alignment a power of two; below 256 it is 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is no power of two
   * @throws BfcOutOfMemoryException if there is no room
   */
  public long allocate(long bytes, long alignment) {
    return allocate(bytes, alignment, origin());
  }

  long allocate(long bytes, long alignment, AllocationBudget budget) {
    return allocate(bytes, alignment, budget.origin(origin()));
  }

  private long allocate(long bytes, long alignment, Origin origin) {
    makeRoomAhead();
    Optional<ChunkTable.Room> room = Optional.empty();
    while (true) {
      Optional<RegionSpace> full;
      try (ShortLock _ = lock.hold()) {
        int slot = take(bytes, alignment, origin);
        if (slot != NONE) {
          return space.chunks().address(slot);
        }
        full = space.copy(room);
        if (full.isPresent()) {
          noteFailed(bytes, origin);
        }
      }
      if (full.isPresent()) {
        throw outOfMemory(full.get(), bytes, alignment, origin);
      }
      // The report is of the moment of the failure, so that the request is tried again.
      room = Optional.of(roomForCopy());
    }
  }

  /** Makes room for more chunks, without the lock, before a large table is full. */
  private void makeRoomAhead() {
    if (roomIsWanted) {
      int slots;
      try (ShortLock _ = lock.hold()) {
        roomIsWanted = false;
        slots = space.chunks().slotsWanted();
      }
      if (slots > 0) {
        ChunkTable.Room room = new ChunkTable.Room(slots);
        try (ShortLock _ = lock.hold()) {
          space.chunks().growInto(room);
        }
      }
    }
  }

  /** {@return room for a copy of the space, made without the lock; some more, as others go on} */
  private ChunkTable.Room roomForCopy() {
    int slots;
    try (ShortLock _ = lock.hold()) {
      slots = space.chunks().usedSlots();
    }
    return new ChunkTable.Room(slots + slots / 16);
  }

  /** {@return the space as it is now, to be read without the lock} */
  private RegionSpace copy() {
    Optional<RegionSpace> copy = Optional.empty();
    Optional<ChunkTable.Room> room = Optional.empty();
    while (copy.isEmpty()) {
      try (ShortLock _ = lock.hold()) {
        copy = space.copy(room);
      }
      if (copy.isEmpty()) {
        room = Optional.of(roomForCopy());
      }
    }
    return copy.get();
  }

  /**
   * {@return the address of fresh bytes, or empty if there is no room}
   *
   * <p>Running out is an answer, not an error: the caller may free, wait or fail.
   *
   * @param bytes how many bytes
   * @param alignment a power of two; below 256 it is 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is no power of two
   */
  public OptionalLong tryAllocate(long bytes, long alignment) {
    return tryAllocate(bytes, alignment, origin());
  }

  OptionalLong tryAllocate(long bytes, long alignment, AllocationBudget budget) {
    return tryAllocate(bytes, alignment, budget.origin(origin()));
  }

  private OptionalLong tryAllocate(long bytes, long alignment, Origin origin) {
    makeRoomAhead();
    try (ShortLock _ = lock.hold()) {
      int slot = take(bytes, alignment, origin);
      if (slot == NONE) {
        noteFailed(bytes, origin);
        if (mayBeHeard()) {
          JfrEvents.refused(
              name, space.statistics(), bytes, Shortage.verdict(space, bytes), origin);
        }
        return OptionalLong.empty();
      }
      return OptionalLong.of(space.chunks().address(slot));
    }
  }

  /**
   * {@return the address of fresh bytes, waiting for others to free where there is no room}
   *
   * <p>Requests that wait are answered in the order in which they came, so that a large one is not
   * passed over for ever; requests that do not wait, or wait no longer, take what is free at once.
   * A waiting request holds up those behind it only while frees can make room for it: if no region
   * is long enough for it, so that it depends on the device or on a {@link #trim()}, others are
   * answered before it. A request for more than the limit fails at once.
   *
   * <p>If the interrupt arrives after the request was answered, the address is returned and the
   * interrupt status stays set.
   *
   * @param bytes how many bytes
   * @param alignment a power of two; below 256 it is 256
   * @param patience how long to wait; not at all if it is not positive
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is no power of two
   * @throws IllegalStateException if the allocator is closed, also while this waits
   * @throws BfcOutOfMemoryException if there is no room when the time is over
   * @throws InterruptedException if the thread is interrupted while it waits; nothing is taken then
   */
  public long allocate(long bytes, long alignment, Duration patience) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + nanos(patience);
    Waiters.Waiter waiter = new Waiters.Waiter(bytes, alignment, origin());
    OptionalLong address = OptionalLong.empty();
    boolean waits = false;
    try (ShortLock _ = lock.hold()) {
      checkRequest(bytes, alignment);
      // Nothing that others free can help a request for more than the limit.
      if (RegionSpace.roundedBytes(bytes) <= space.limitBytes()) {
        address = waiters.tryOrAdd(waiter, server);
        waits = address.isEmpty();
      }
    }
    if (waits) {
      waiter.await(deadlineNanos);
      address = giveUp(waiter);
    }
    return address.isPresent() ? address.getAsLong() : allocate(bytes, alignment, waiter.origin());
  }

  /** Ends the wait of a request and {@return its answer, if it has one} */
  private OptionalLong giveUp(Waiters.Waiter waiter) throws InterruptedException {
    try (ShortLock _ = lock.hold()) {
      if (waiter.answer().isPresent()) {
        return OptionalLong.of(waiter.answer().get().getAsLong());
      }
      waiters.remove(waiter);
      try {
        if (Thread.interrupted()) {
          throw new InterruptedException(
              String.format(
                  Locale.ROOT,
                  "interrupted while waiting for %d bytes of allocator '%s'",
                  waiter.bytes(),
                  name));
        }
        return server.take(waiter);
      } finally {
        // It may have been in the way of others.
        serveWaiters();
      }
    }
  }

  private static long nanos(Duration patience) {
    // What is longer than a century has no end.
    Duration century = Duration.ofDays(36_525);
    return patience.isPositive()
        ? (patience.compareTo(century) > 0 ? century : patience).toNanos()
        : 0;
  }

  private void serveWaiters() {
    waiters.serve(server);
  }

  /** Answers requests that wait, under the lock. */
  private final class Server implements Waiters.Server {

    @Override
    public OptionalLong take(Waiters.Waiter waiter) {
      int slot = BfcAllocator.this.take(waiter.bytes(), waiter.alignment(), waiter.origin());
      return slot == NONE ? OptionalLong.empty() : OptionalLong.of(space.chunks().address(slot));
    }

    @Override
    public boolean freesMayServe(Waiters.Waiter waiter) {
      return space.freesMayServe(waiter.bytes(), waiter.alignment());
    }
  }

  private Origin origin() {
    Origin origin = AllocationTag.current().origin();
    return options.stacks() ? origin.withStack() : origin;
  }

  /** {@return the slot of a chunk, now in use, or {@link RegionSpace#NONE}} */
  private int take(long bytes, long alignment, Origin origin) {
    checkRequest(bytes, alignment);
    int slot = space.take(bytes, alignment);
    if (space.chunks().slotsWanted() > 0) {
      roomIsWanted = true;
    }
    if (slot != NONE) {
      space.chunks().setOrigin(slot, origin);
      boolean noted = false;
      try {
        noteAllocated(slot);
        noted = true;
      } finally {
        if (!noted) {
          takeBack(slot);
        }
      }
    }
    return slot;
  }

  /** Frees what nobody has heard of: the listener threw. */
  private void takeBack(int slot) {
    recordFreed(slot);
    space.free(slot);
  }

  private void checkRequest(long bytes, long alignment) {
    checkOpen();
    checkArguments(bytes, alignment);
  }

  static void checkArguments(long bytes, long alignment) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a request is for no bytes: bytes=" + bytes);
    }
    if (Long.bitCount(alignment) != 1 || alignment < 0) {
      throw new IllegalArgumentException("an alignment is no power of two: alignment=" + alignment);
    }
  }

  private void checkOpen() {
    callbacks.checkNone();
    if (closed) {
      throw closedException();
    }
  }

  private IllegalStateException closedException() {
    return new IllegalStateException(String.format(Locale.ROOT, "allocator '%s' is closed", name));
  }

  /** {@return the failure of a request, explained outside the lock} */
  private BfcOutOfMemoryException outOfMemory(
      RegionSpace full, long bytes, long alignment, Origin origin) {
    Shortage shortage = Shortage.of(full, options, bytes, alignment);
    BfcOutOfMemoryException failure =
        BfcOutOfMemoryException.of(shortage, AllocatorReport.of(name, full), origin.tag());
    if (mayBeHeard()) {
      JfrEvents.outOfMemory(failure, origin);
    }
    return failure;
  }

  /** {@return the failure of a request that a budget cannot pay for} */
  BfcOutOfMemoryException budgetReached(String message, long requestedBytes, long roundedBytes) {
    BfcOutOfMemoryException failure =
        new BfcOutOfMemoryException(
            message, OutOfMemoryVerdict.BUDGET_REACHED, requestedBytes, roundedBytes, report());
    if (mayBeHeard()) {
      JfrEvents.outOfMemory(failure, AllocationTag.current().origin());
    }
    return failure;
  }

  /** Hears that a budget cannot pay for a request whose caller gets no exception. */
  void budgetRefused(long bytes) {
    if (mayBeHeard()) {
      JfrEvents.refused(
          name,
          statistics(),
          bytes,
          OutOfMemoryVerdict.BUDGET_REACHED,
          AllocationTag.current().origin());
    }
  }

  private boolean mayBeHeard() {
    return JfrEvents.mayBeHeard() && isRecorded;
  }

  /**
   * Frees what was allocated.
   *
   * <p>Requests that wait are answered then. What fails in that is theirs to hear of, not this
   * thread's. Where the sub-allocator throws for a region's end that is to go at once, this is
   * freed even so, and the end is kept.
   *
   * @param address what {@link #allocate(long)} gave
   * @throws IllegalStateException if nothing is in use at {@code address}; the message says what is
   *     there, and nothing changes
   */
  public void free(long address) {
    Seen seen;
    try (ShortLock _ = lock.hold()) {
      callbacks.checkNone();
      int slot = space.find(address);
      if (slot != NONE) {
        try {
          noteFreed(slot);
        } finally {
          freeAndServe(slot);
        }
        return;
      }
      checkOpen();
      seen = seen(address);
    }
    throw nothingToFree(address, seen);
  }

  private IllegalStateException nothingToFree(long address, Seen seen) {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "allocator '%s' has nothing to free at %d: %s",
            name,
            address,
            describe(address, seen)));
  }

  /**
   * Frees a chunk and allocates it again in one step, so that no other request can take it.
   *
   * <p>Reports, the history, events and the listener have a free and an allocation. For pools of
   * memory that queued work still uses: only the pool knows which request may reuse it.
   *
   * @param address what {@link #allocate(long)} gave
   * @param bytes the bytes of the new request
   * @throws IllegalArgumentException if {@code bytes < 1}, or the chunk has fewer; nothing changes
   * @throws IllegalStateException if nothing is in use at {@code address}; nothing changes
   */
  public void reuse(long address, long bytes) {
    Origin origin = origin();
    Seen seen;
    try (ShortLock _ = lock.hold()) {
      checkRequest(bytes, QUANTUM_BYTES);
      int slot = space.find(address);
      if (slot != NONE) {
        checkFits(bytes, slot);
        try {
          noteFreed(slot);
        } finally {
          space.reuse(slot, bytes);
          space.chunks().setOrigin(slot, origin);
        }
        noteAllocated(slot);
        return;
      }
      seen = seen(address);
    }
    throw nothingToFree(address, seen);
  }

  private void checkFits(long bytes, int slot) {
    if (bytes > space.chunks().bytes(slot)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a chunk of allocator '%s' is too small for another request: bytes=%d, chunk=%d, address=0x%x",
              name,
              bytes,
              space.chunks().bytes(slot),
              space.chunks().address(slot)));
    }
  }

  private void freeAndServe(int slot) {
    try {
      space.free(slot);
    } finally {
      if (!waiters.isEmpty()) {
        serveWaiters();
      }
    }
  }

  /** {@return the allocator when an address was wrong} */
  private Seen seen(long address) {
    return new Seen(space.copy(Optional.empty()), history.lastFreedAround(address));
  }

  /**
   * The allocator when an address was wrong.
   *
   * @param copy its space, empty if there is too much to copy it at once
   * @param lastFreed which allocation was freed around the address last
   */
  private record Seen(Optional<RegionSpace> copy, Optional<String> lastFreed) {}

  private String describe(long address, Seen seen) {
    RegionSpace copy = seen.copy().orElseGet(this::copy);
    String freed = seen.lastFreed().map(text -> "; " + text).orElse("");
    Optional<Integer> slot = copy.chunkAround(address);
    if (slot.isEmpty()) {
      return String.format(Locale.ROOT, "it lies in none of its %d regions", copy.regions().size())
          + freed;
    }
    ChunkTable chunks = copy.chunks();
    String where =
        String.format(Locale.ROOT, "[%d, %d)", chunks.address(slot.get()), chunks.end(slot.get()));
    return chunks.isFree(slot.get())
        ? "already free, inside free chunk " + where + freed
        : String.format(
            Locale.ROOT, "inside chunk %s, %s", where, copy.allocation(slot.get()).describe());
  }

  // Who hears of it.

  private void noteAllocated(int slot) {
    if (mayBeHeard()) {
      JfrEvents.allocated(name, space, slot);
    }
    if (observed) {
      Allocation allocation = space.allocation(slot);
      history.add(HistoryEvent.Kind.ALLOCATED, allocation);
      callbacks.tell(() -> listener.allocated(allocation));
    }
  }

  private void noteFreed(int slot) {
    long id = space.chunks().allocationId(slot);
    recordFreed(slot);
    releaseOrigin(space.chunks(), slot);
    if (observed) {
      callbacks.tell(() -> listener.freed(id));
    }
  }

  private void recordFreed(int slot) {
    if (observed) {
      history.add(HistoryEvent.Kind.FREED, space.allocation(slot));
    }
    if (mayBeHeard()) {
      JfrEvents.freed(name, space, slot);
    }
  }

  /** Gives a budget what was charged to it, and forgets the stack. */
  private static void releaseOrigin(ChunkTable chunks, int slot) {
    Origin origin = chunks.origin(slot);
    if (origin.budget().isPresent()) {
      origin.budget().get().release(RegionSpace.roundedBytes(chunks.requestedBytes(slot)));
    }
    if (origin.budget().isPresent() || origin.stack().isPresent()) {
      chunks.setOrigin(slot, Origin.NONE);
    }
  }

  private void noteFailed(long bytes, Origin origin) {
    if (observed) {
      history.add(new HistoryEvent(HistoryEvent.Kind.FAILED, 0, 0, bytes, origin.tag()));
      callbacks.tell(() -> listener.failed(bytes));
    }
  }

  // What it holds.

  /**
   * Gives what it can back to the sub-allocator: wholly free regions and, where regions are
   * expandable, their free ends.
   *
   * <p>Where the sub-allocator throws for a region, it is kept as it is, for another time; what
   * else can be is given back before that is thrown.
   *
   * @return how many bytes, and what pins the rest
   * @throws IllegalStateException if the allocator is closed
   */
  public TrimResult trim() {
    long bytes;
    Optional<RegionSpace> trimmed;
    try (ShortLock _ = lock.hold()) {
      checkOpen();
      try {
        bytes = space.trim();
        trimmed = space.copy(Optional.empty());
      } finally {
        serveWaiters();
      }
    }
    return new TrimResult(bytes, trimmed.orElseGet(this::copy).pinned());
  }

  /** {@return the options of this allocator} */
  public BfcOptions options() {
    return options;
  }

  /** {@return how many requests wait for others to free} */
  public int waitingRequests() {
    try (ShortLock _ = lock.hold()) {
      return waiters.count();
    }
  }

  /** {@return what the allocator holds and has done} */
  public AllocatorStatistics statistics() {
    try (ShortLock _ = lock.hold()) {
      return space.statistics();
    }
  }

  /** Lets every peak be what is now, and forgets the largest chunk. */
  public void clearPeaks() {
    try (ShortLock _ = lock.hold()) {
      space.clearPeaks();
    }
  }

  /** {@return the regions' addresses and sizes, by ascending address} */
  public List<Region> regions() {
    try (ShortLock _ = lock.hold()) {
      return space.regions().stream()
          .map(region -> new Region(region.address(), region.bytes()))
          .toList();
    }
  }

  /**
   * A region that an allocator holds.
   *
   * @param address where it starts
   * @param bytes its size
   */
  public record Region(long address, long bytes) {}

  /** {@return what is in use, by ascending address} */
  public List<Allocation> allocations() {
    return copy().allocations();
  }

  /** {@return what is in use at an address that {@link #allocate(long)} gave, or empty} */
  public Optional<Allocation> allocation(long address) {
    try (ShortLock _ = lock.hold()) {
      int slot = space.find(address);
      return slot == NONE ? Optional.empty() : Optional.of(space.allocation(slot));
    }
  }

  /**
   * {@return a report of the memory in use and free; costs O(chunks), most of it without the lock}
   */
  public AllocatorReport report() {
    return AllocatorReport.of(name, copy());
  }

  /**
   * {@return the last events, the oldest first; none if {@link BfcOptions#historyLength()} is 0}
   */
  public List<HistoryEvent> history() {
    try (ShortLock _ = lock.hold()) {
      return history.events();
    }
  }

  /** {@return what would leak if the allocator was closed now: what is in use} */
  public LeakReport leaks() {
    return new LeakReport(name, allocations());
  }

  LeakReport leaks(AllocationBudget budget) {
    RegionSpace copy = copy();
    return new LeakReport(
        name,
        copy.slotsInUse().stream()
            .filter(slot ->
                copy.chunks().origin(slot).budget().filter(o -> o.isWithin(budget)).isPresent())
            .map(copy::allocation)
            .toList());
  }

  /**
   * Gives all regions back, whatever is still in use in them; does nothing if that is done.
   *
   * <p>What is, is a leak: it is logged as a warning, and recorded by JDK Flight Recorder. Where
   * the sub-allocator throws for a region, the others are given back before that is thrown, and to
   * close again is to try again.
   */
  @Override
  public void close() {
    Optional<RegionSpace> left = Optional.empty();
    try (ShortLock _ = lock.hold()) {
      callbacks.checkNone();
      closed = true;
      waiters.dismiss(() -> {
        throw closedException();
      });
      left = Optional.of(space.empty());
      space.giveAllBack();
    } finally {
      left.ifPresent(this::leak);
    }
  }

  /** Gives budgets what was in use, and reports it. */
  private void leak(RegionSpace left) {
    left.slotsInUse().forEach(slot -> releaseOrigin(left.chunks(), slot));
    tellLeaks(new LeakReport(name, left.allocations()));
  }

  private void tellLeaks(LeakReport leaks) {
    if (!leaks.isEmpty()) {
      LOGGER.log(System.Logger.Level.WARNING, leaks::toString);
      if (mayBeHeard()) {
        JfrEvents.leaked(leaks);
      }
    }
  }

  // Budgets.

  /** Lets another budget be charged for what is at an address, or {@return why it is not} */
  Optional<AllocationBudget.Refusal> changeBudget(
      long address, AllocationBudget from, AllocationBudget to) {
    Seen seen;
    try (ShortLock _ = lock.hold()) {
      checkOpen();
      int slot = space.find(address);
      if (slot != NONE && isOf(from, slot)) {
        return changeBudget(slot, from, to);
      }
      seen = seen(address);
    }
    throw new IllegalStateException(
        String.format(
            Locale.ROOT,
            "nothing at %d is charged to budget '%s': %s",
            address,
            from.path(),
            describe(address, seen)));
  }

  private Optional<AllocationBudget.Refusal> changeBudget(
      int slot, AllocationBudget from, AllocationBudget to) {
    ChunkTable chunks = space.chunks();
    long requestedBytes = chunks.requestedBytes(slot);
    Optional<AllocationBudget.Exhausted> exhausted =
        from.move(RegionSpace.roundedBytes(requestedBytes), to);
    if (exhausted.isEmpty()) {
      chunks.setOrigin(slot, to.origin(chunks.origin(slot)));
    }
    return exhausted.map(who -> new AllocationBudget.Refusal(who, requestedBytes));
  }

  private boolean isOf(AllocationBudget budget, int slot) {
    return space.chunks().origin(slot).budget().filter(owner -> owner == budget).isPresent();
  }

  /** {@return "allocator" and its name} */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "allocator '%s'", name);
  }

  /**
   * Checks the invariants, for tests: costs O(chunks), all of it under the lock.
   *
   * @throws AssertionError that names the one that is broken
   */
  public void checkInvariants() {
    try (ShortLock _ = lock.hold()) {
      space.checkInvariants();
    }
  }
}
