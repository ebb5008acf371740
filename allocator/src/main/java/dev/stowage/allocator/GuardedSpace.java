package dev.stowage.allocator;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * The operations of an allocator on its {@link LockedSpace}: requests, frees, limits and reads.
 *
 * <p>It extends the space, because one more object on the way to it would take 2 to 3 ns for a pair
 * of a request and a free.
 */
final class GuardedSpace extends LockedSpace {

  private static final int NONE = RegionSpace.NONE;

  private final BfcOptions options;

  /** The rule for requests that name none. */
  private final Placement placement;

  private final FamilyMember member;
  private final Reassignment reassignment;

  /** Creates the space of an allocator. */
  GuardedSpace(
      String allocator,
      SubAllocator device,
      BfcOptions options,
      Placement placement,
      AllocatorEvents events,
      Callbacks callbacks) {
    this(
        allocator,
        device,
        options,
        placement,
        events,
        callbacks,
        new ShortLock(),
        new PoolFamily(Optional.empty()));
  }

  /** Creates the space of a private pool, with the lock and the device of the space above. */
  GuardedSpace(
      String pool,
      BfcOptions options,
      Placement placement,
      AllocatorEvents events,
      GuardedSpace above) {
    this(
        pool,
        above.device,
        options,
        placement,
        events,
        above.callbacks,
        above.lock,
        new PoolFamily(Optional.of(above.member)));
  }

  private GuardedSpace(
      String allocator,
      SubAllocator device,
      BfcOptions options,
      Placement placement,
      AllocatorEvents events,
      Callbacks callbacks,
      ShortLock lock,
      PoolFamily family) {
    super(allocator, device, options, placement, events, callbacks, lock, family);
    this.options = options;
    this.placement = placement;
    member = new FamilyMember(this, family, events);
    reassignment = new Reassignment(this, member, events);
  }

  /** {@return the rule for requests that name none} */
  Placement placement() {
    return placement;
  }

  // Allocating.

  /** {@return the address of new bytes} */
  long allocate(long bytes, long alignment, Placement chosen, Origin origin) {
    long cached = takeCached(bytes, alignment, origin);
    if (cached != FrontCache.NO_ADDRESS) {
      return cached;
    }
    makeRoomAhead();
    Optional<ChunkTable.Room> room = Optional.empty();
    while (true) {
      Optional<RegionSpace> full;
      try (ShortLock _ = lock.hold()) {
        int slot = tryTake(bytes, alignment, chosen, origin);
        if (slot != NONE) {
          return address(slot);
        }
        full = space().copy(room);
        if (full.isPresent()) {
          events.failed(bytes, origin);
        }
      }
      if (full.isPresent()) {
        throw outOfMemory(full.get(), bytes, alignment, chosen, origin);
      }
      // The report describes the moment of the failure, so the request is tried again after the
      // room for the copy is allocated.
      room = Optional.of(roomForCopy());
    }
  }

  /** {@return the address of a chunk of the front cache, or {@link FrontCache#NO_ADDRESS}} */
  private long takeCached(long bytes, long alignment, Origin origin) {
    return isCacheUsed() && alignment > 0 && alignment <= Quantum.BYTES
        ? cache.take(bytes, origin)
        : FrontCache.NO_ADDRESS;
  }

  /** {@return true if a request or a free may use the front cache without the lock} */
  private boolean isCacheUsed() {
    return cache.isOn() && !callbacks.isRunning() && !events.isEachRecorded();
  }

  /** {@return the failure of a request, explained without the lock} */
  private BfcOutOfMemoryException outOfMemory(
      RegionSpace full, long bytes, long alignment, Placement chosen, Origin origin) {
    BfcOutOfMemoryException failure =
        BfcOutOfMemoryException.of(
            new ShortageSearch(full, bytes, alignment, chosen).find(),
            events.report(full),
            origin.tag());
    events.outOfMemory(failure, origin.tag());
    return failure;
  }

  /** {@return the address of new bytes, or empty if there is no room} */
  OptionalLong tryAllocate(long bytes, long alignment, Placement chosen, Origin origin) {
    long cached = takeCached(bytes, alignment, origin);
    if (cached != FrontCache.NO_ADDRESS) {
      return OptionalLong.of(cached);
    }
    makeRoomAhead();
    try (ShortLock _ = lock.hold()) {
      int slot = tryTake(bytes, alignment, chosen, origin);
      if (slot == NONE) {
        events.failed(bytes, origin);
        if (events.mayBeRecorded()) {
          RegionSpace space = space();
          events.refused(
              space.statistics(), bytes, ShortageSearch.verdict(space, bytes), origin.tag());
        }
        return OptionalLong.empty();
      }
      return OptionalLong.of(address(slot));
    }
  }

  /** {@return the address of new bytes, or empty if there is no room, which is not reported} */
  OptionalLong tryAllocateQuietly(long bytes, long alignment, Origin origin) {
    long cached = takeCached(bytes, alignment, origin);
    if (cached != FrontCache.NO_ADDRESS) {
      return OptionalLong.of(cached);
    }
    makeRoomAhead();
    try (ShortLock _ = lock.hold()) {
      int slot = tryTake(bytes, alignment, placement, origin);
      return slot == NONE ? OptionalLong.empty() : OptionalLong.of(address(slot));
    }
  }

  /**
   * {@return the address of new bytes, waiting for frees if there is no room; empty if there is
   * still none, or frees cannot help}
   *
   * @param pause as in {@link Waiters.Waiter#await}
   */
  OptionalLong tryOrWait(
      long bytes, long alignment, Placement chosen, Duration timeout, Origin origin, LongConsumer pause)
      throws InterruptedException {
    Waiters.Waiter waiter = new Waiters.Waiter(bytes, alignment, chosen, origin, timeout);
    try (ShortLock _ = lock.hold()) {
      checkRequest(bytes, alignment);
      if (!member.isWithinLimits(waiter)) {
        return OptionalLong.empty();
      }
      OptionalLong address = member.waiters().tryOrAdd(waiter);
      if (address.isPresent()) {
        return address;
      }
    }
    boolean paused = false;
    try {
      waiter.await(pause);
      paused = true;
    } finally {
      if (!paused) {
        withdraw(waiter);
      }
    }
    try (ShortLock _ = lock.hold()) {
      return member.waiters().end(waiter);
    }
  }

  private void withdraw(Waiters.Waiter waiter) {
    OptionalLong address;
    try (ShortLock _ = lock.hold()) {
      address = member.waiters().withdraw(waiter);
    }
    address.ifPresent(this::free);
  }

  int waitingRequests() {
    try (ShortLock _ = lock.hold()) {
      return member.waiters().count();
    }
  }

  /** Serves waiting requests after a change of a budget. */
  void serve() {
    member.serve();
  }

  // Freeing.

  /** Frees the allocation at an address, and serves requests that wait. */
  void free(long address) {
    if (isCacheUsed() && cache.free(address)) {
      return;
    }
    WrongAddress wrong;
    try (ShortLock _ = lock.hold()) {
      checkNotCalledBack();
      int slot = find(address);
      if (slot != NONE) {
        endUse(slot);
        return;
      }
      checkOpen();
      wrong = wrong(address);
    }
    throw wrong.nothingToFree(allocator(), this::copy);
  }

  private void endUse(int slot) {
    boolean cached = false;
    try {
      boolean isCacheable = isCacheable(slot);
      reportFreed(slot);
      cached = isCacheable && tryLend(slot);
    } finally {
      if (!cached) {
        freeAndServe(slot);
      }
    }
  }

  private boolean isCacheable(int slot) {
    return isCacheUsed()
        && !isClosed()
        && !member.isAnyWaiting()
        && !space().chunks().origin(slot).hasResources();
  }

  private void reportFreed(int slot) {
    RegionSpace space = space();
    long id = space.chunks().allocationId(slot);
    events.freed(space, slot);
    LockedSpace.releaseOrigin(space.chunks(), slot);
    events.notifyFreed(id);
  }

  private void freeAndServe(int slot) {
    try {
      freeChunk(slot);
    } finally {
      member.serveAll();
    }
  }

  /** As {@link Reassignment#reuse}. */
  Optional<BudgetAccount.Exhausted> reuse(long address, long bytes, Origin origin) {
    return reassignment.reuse(address, bytes, origin);
  }

  /** As {@link Reassignment#transfer}. */
  Optional<BudgetAccount.Unpaid> transfer(
      long address, BudgetAccount from, BudgetAccount to, UnaryOperator<Origin> charged) {
    return reassignment.transfer(address, from, to, charged);
  }

  // Regions.

  /** Returns free memory to the sub-allocator. */
  TrimResult trim() {
    long bytes;
    Optional<RegionSpace> trimmed;
    try (ShortLock _ = lock.hold()) {
      checkOpen();
      settle();
      try {
        bytes = space().trim();
        trimmed = space().copy(Optional.empty());
      } finally {
        member.serveAll();
      }
    }
    return new TrimResult(bytes, new SpaceReader(trimmed.orElseGet(this::copy)).pinned());
  }

  /** Sets the limit, and answers waiting requests for which the limit decides. */
  LimitChange setLimit(long bytes) {
    return member.setLimit(options.withLimit(bytes).limitBytes());
  }

  /** Sets the limit of a budget, answers waiting requests, and {@return the new limit} */
  long setLimit(BudgetAccount account, long bytes) {
    return member.setLimit(account, bytes);
  }

  /** Adds a private pool, whose space has this one above. */
  void add(GuardedSpace pool) {
    member.add(pool.member);
  }

  /** Frees all chunks and returns all regions, also those of private pools. */
  void close() {
    member.close();
  }

  /** Rejects requests, and returns memory as soon as it is free. */
  void closeWhenFree() {
    member.closeWhenFree();
  }

  // Reading.

  List<HistoryEvent> history() {
    try (ShortLock _ = lock.hold()) {
      return events.history();
    }
  }

  /**
   * Checks all invariants with the lock.
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  void checkInvariants() {
    try (ShortLock _ = lock.hold()) {
      checkInvariants(member.isWaiting());
    }
  }
}
