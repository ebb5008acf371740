package dev.stowage.allocator;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/** The operations of an allocator on its {@link LockedSpace}: requests, frees and limits. */
final class GuardedSpace {

  private static final int NONE = RegionSpace.NONE;

  private final LockedSpace locked;
  private final ShortLock lock;
  private final FrontCache cache;
  private final Callbacks callbacks;
  private final AllocatorEvents events;
  private final BfcOptions options;

  /** The rule for requests that name none. */
  private final PlacementRule placement;

  private final FamilyMember member;
  private final Reassignment reassignment;

  /** Creates the space of an allocator. */
  GuardedSpace(
      String allocator,
      SubAllocator device,
      BfcOptions options,
      PlacementRule placement,
      AllocatorEvents events,
      Callbacks callbacks) {
    PoolFamily family = new PoolFamily(Optional.empty());
    this(
        new LockedSpace(
            allocator, device, options, placement, events, callbacks, new ShortLock(), family),
        options,
        placement,
        family);
  }

  /** Creates the space of a private pool, with the lock and the device of the space above. */
  GuardedSpace(
      String pool,
      BfcOptions options,
      PlacementRule placement,
      AllocatorEvents events,
      GuardedSpace above) {
    PoolFamily family = new PoolFamily(Optional.of(above.member));
    this(
        above.locked.openPrivate(pool, options, placement, events, family),
        options,
        placement,
        family);
  }

  private GuardedSpace(
      LockedSpace locked, BfcOptions options, PlacementRule placement, PoolFamily family) {
    this.locked = locked;
    this.options = options;
    this.placement = placement;
    lock = locked.lock();
    cache = locked.cache();
    callbacks = locked.callbacks();
    events = locked.events();
    member = new FamilyMember(locked, family, events);
    reassignment = new Reassignment(locked, member, events);
  }

  /** {@return the space behind the lock, for reading} */
  LockedSpace locked() {
    return locked;
  }

  /** {@return this space in its family} */
  FamilyMember member() {
    return member;
  }

  /** {@return the default rule of requests} */
  PlacementRule placement() {
    return placement;
  }

  // Allocating.

  /** {@return the address of new bytes} */
  long allocate(long bytes, long alignment, PlacementRule chosen, Origin origin) {
    long cached = takeCached(bytes, alignment, origin);
    if (cached != FrontCache.NO_ADDRESS) {
      return cached;
    }
    locked.makeRoomAhead();
    Optional<ChunkTable.Room> room = Optional.empty();
    while (true) {
      Optional<RegionSpace> full = Optional.empty();
      Optional<Exhausted> exhausted;
      try (ShortLock _ = lock.hold()) {
        exhausted = member.charge(bytes, alignment, origin);
        if (exhausted.isEmpty()) {
          int slot = member.takeCharged(bytes, alignment, chosen, origin);
          if (slot != NONE) {
            return locked.address(slot);
          }
          full = locked.space().copy(room);
          if (full.isPresent()) {
            events.failed(bytes);
          }
        }
      }
      if (exhausted.isPresent()) {
        long rounded = Quantum.roundedBytes(bytes);
        throw budgetReached(exhausted.get(), origin.account().orElseThrow(), rounded, bytes);
      }
      if (full.isPresent()) {
        throw outOfMemory(full.get(), bytes, alignment, chosen, origin);
      }
      // The report describes the moment of the failure, so the request is tried again after the
      // room for the copy is allocated.
      room = Optional.of(locked.roomForCopy());
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

  /** {@return the failure of a request that exceeds a budget} */
  BfcOutOfMemoryException budgetReached(
      Exhausted exhausted, MemoryAccount asked, long rounded, long bytes) {
    BfcOutOfMemoryException failure =
        new BfcOutOfMemoryException(
            exhausted.message(asked, rounded, bytes),
            OutOfMemoryVerdict.LIMIT,
            bytes,
            rounded,
            events.report(locked.copy()));
    events.outOfMemory(failure, AllocationTag.current().toString());
    return failure;
  }

  /** {@return the failure of a request, explained without the lock} */
  private BfcOutOfMemoryException outOfMemory(
      RegionSpace full, long bytes, long alignment, PlacementRule chosen, Origin origin) {
    BfcOutOfMemoryException failure =
        BfcOutOfMemoryException.of(
            new ShortageSearch(full, bytes, alignment, chosen).find(),
            events.report(full),
            origin.tag());
    events.outOfMemory(failure, origin.tag());
    return failure;
  }

  /**
   * {@return the address of new bytes, or empty if there is no room}
   *
   * @param isReported true if an empty result is a failure, which is recorded
   */
  OptionalLong tryAllocate(
      long bytes, long alignment, PlacementRule chosen, Origin origin, boolean isReported) {
    long cached = takeCached(bytes, alignment, origin);
    if (cached != FrontCache.NO_ADDRESS) {
      return OptionalLong.of(cached);
    }
    locked.makeRoomAhead();
    try (ShortLock _ = lock.hold()) {
      boolean isCharged = member.charge(bytes, alignment, origin).isEmpty();
      int slot = isCharged ? member.takeCharged(bytes, alignment, chosen, origin) : NONE;
      if (slot != NONE) {
        return OptionalLong.of(locked.address(slot));
      }
      if (isReported) {
        reportRefused(bytes, origin, isCharged);
      }
      return OptionalLong.empty();
    }
  }

  private void reportRefused(long bytes, Origin origin, boolean isCharged) {
    if (isCharged) {
      events.failed(bytes);
    }
    if (events.mayBeRecorded()) {
      locked.settle();
      RegionSpace space = locked.space();
      OutOfMemoryVerdict verdict =
          isCharged ? ShortageSearch.verdict(space, bytes) : OutOfMemoryVerdict.LIMIT;
      events.refused(space.statistics(), bytes, verdict, origin.tag());
    }
  }

  /**
   * {@return the address of new bytes, waiting for frees if there is no room; empty if there is
   * still none, or frees cannot help}
   *
   * @param pause as in {@link Waiters.Waiter#await}
   */
  OptionalLong tryOrWait(
      long bytes,
      long alignment,
      PlacementRule chosen,
      Duration timeout,
      Origin origin,
      LongConsumer pause)
      throws InterruptedException {
    Waiters.Waiter waiter = new Waiters.Waiter(bytes, alignment, chosen, origin, timeout);
    try (ShortLock _ = lock.hold()) {
      locked.checkRequest(bytes, alignment);
      if (!member.isWithinLimits(waiter)) {
        return OptionalLong.empty();
      }
      OptionalLong address = member.tryOrAdd(waiter);
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

  // Freeing.

  /** Frees the allocation at an address, and serves requests that wait. */
  void free(long address) {
    if (isCacheUsed() && cache.free(address)) {
      return;
    }
    WrongAddress wrong;
    try (ShortLock _ = lock.hold()) {
      callbacks.checkNotCalledBack();
      if (isCacheUsed() && cache.freeLent(locked.space(), address)) {
        return;
      }
      int slot = locked.find(address);
      if (slot != NONE) {
        endUse(slot);
        return;
      }
      locked.checkOpen();
      wrong = locked.wrong(address);
    }
    throw wrong.nothingToFree(locked.allocator(), locked::copy);
  }

  private void endUse(int slot) {
    boolean cached = false;
    try {
      boolean isCacheable = isCacheable(slot);
      reportFreed(slot);
      cached = isCacheable && locked.tryLend(slot);
    } finally {
      if (!cached) {
        member.freeAndServe(slot);
      }
    }
  }

  private boolean isCacheable(int slot) {
    return isCacheUsed()
        && !locked.isClosed()
        && !member.isAnyWaiting()
        && !locked.space().chunks().origin(slot).hasResources()
        && !locked.space().chunks().origin(slot).isSlab();
  }

  private void reportFreed(int slot) {
    RegionSpace space = locked.space();
    long id = space.chunks().allocationId(slot);
    events.freed(space, slot);
    member.releaseOrigin(slot);
    events.notifyFreed(id);
  }

  /** As {@link Reassignment#reuse}. */
  Optional<Exhausted> reuse(long address, long bytes, Origin origin) {
    return reassignment.reuse(address, bytes, origin);
  }

  // Regions.

  /** Returns free memory to the sub-allocator. */
  TrimResult trim() {
    long bytes;
    Optional<RegionSpace> trimmed;
    try (ShortLock _ = lock.hold()) {
      locked.checkOpen();
      locked.settle();
      try {
        bytes = locked.space().trim();
        trimmed = locked.space().copy(Optional.empty());
      } finally {
        member.serveAll();
      }
    }
    return new TrimResult(bytes, new SpaceReader(trimmed.orElseGet(locked::copy)).pinned());
  }

  /** Sets the limit, and answers waiting requests for which the limit decides. */
  LimitChange setLimit(long bytes) {
    return member.setLimit(options.withLimit(bytes).limitBytes());
  }

  // Reading.

  /**
   * Checks all invariants with the lock.
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  void checkInvariants() {
    try (ShortLock _ = lock.hold()) {
      locked.checkInvariants(member.isWaiting());
    }
  }
}
