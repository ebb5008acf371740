package dev.stowage.allocator;

import dev.stowage.allocator.internal.Failures;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An allocator or a private pool in its {@link PoolFamily}: the requests that wait for its memory,
 * its limits and its end.
 */
final class FamilyMember implements Waiters.Server, PoolFamily.Member, MemoryAccount.Allocating {

  private static final int NONE = RegionSpace.NONE;

  private final LockedSpace locked;
  private final PoolFamily family;
  private final AllocatorEvents events;
  private final Waiters waiters;

  FamilyMember(LockedSpace locked, PoolFamily family, AllocatorEvents events) {
    this.locked = locked;
    this.family = family;
    this.events = events;
    waiters = new Waiters(locked.allocator(), this);
  }

  // Waiting requests.

  /** {@return the requests that wait} */
  Waiters waiters() {
    return waiters;
  }

  @Override
  public Waiters.Attempt take(Waiters.Waiter waiter) {
    Optional<Exhausted> exhausted = charge(waiter.bytes(), waiter.alignment(), waiter.origin());
    if (exhausted.isPresent()) {
      locked.settle(); // K8
    }
    int slot =
        exhausted.isPresent()
            ? NONE
            : takeCharged(waiter.bytes(), waiter.alignment(), waiter.placement(), waiter.origin());
    return new Waiters.Attempt(
        slot == NONE ? OptionalLong.empty() : OptionalLong.of(locked.address(slot)),
        exhausted.map(Exhausted::account));
  }

  /**
   * Charges a request to its account, or {@return the account that has too little left}
   *
   * <p>The caller holds the lock until {@link #takeCharged} has returned, so that no other request
   * sees the charge of one that fails.
   */
  Optional<Exhausted> charge(long bytes, long alignment, Origin origin) {
    if (origin.account().isEmpty()) {
      return Optional.empty();
    }
    locked.checkRequest(bytes, alignment);
    return origin.account().get().take(Quantum.roundedBytes(bytes), origin.tag());
  }

  /**
   * {@return the slot of a chunk for a charged request, or {@link RegionSpace#NONE}; without a
   * chunk, the charge is reversed}
   */
  int takeCharged(long bytes, long alignment, PlacementRule placement, Origin origin) {
    if (origin.account().isEmpty()) {
      return locked.tryTake(bytes, alignment, placement, origin);
    }
    int slot = NONE;
    try {
      slot = locked.tryTake(bytes, alignment, placement, origin);
    } finally {
      origin.account().get().settle(Quantum.roundedBytes(bytes), origin.tag(), slot != NONE);
    }
    return slot;
  }

  @Override
  public boolean freesMayServe(Waiters.Waiter waiter) {
    return locked.space().freesMayServe(waiter.bytes(), waiter.alignment());
  }

  /** {@return true if the limits of the allocator and of the budget do not rule out a request} */
  boolean isWithinLimits(Waiters.Waiter waiter) {
    long rounded = Quantum.roundedBytes(waiter.bytes());
    Optional<MemoryAccount> account = waiter.origin().account();
    return rounded <= limitBytes() && (account.isEmpty() || account.get().isWithinLimits(rounded));
  }

  @Override
  public boolean isWaiting() {
    return !waiters.isEmpty();
  }

  int waitingRequests() {
    try (ShortLock _ = locked.lock().hold()) {
      return waiters.count();
    }
  }

  @Override
  public void serveOwn() {
    if (!waiters.isEmpty()) {
      waiters.serve();
    }
  }

  /**
   * Serves waiting requests after a budget was closed; in a callback, the operation that calls back
   * does so.
   */
  @Override
  public void serveAfter(MemoryAccount released) {
    try (ShortLock _ = locked.lock().hold()) {
      waiters.noteReleased(released);
      if (!locked.isCalledBack()) {
        serveOwn();
      }
    }
  }

  /** Drops the stack of an allocation, and releases its charge to a budget. */
  void releaseOrigin(int slot) {
    Optional<MemoryAccount> account = LockedSpace.releaseOrigin(locked.space().chunks(), slot);
    if (account.isPresent()) {
      waiters.noteReleased(account.get());
    }
  }

  @Override
  public void dismissHopeless() {
    waiters.dismissIf(waiter -> !isWithinLimits(waiter));
  }

  /** {@return the address for a new request, or empty if it waits now} */
  OptionalLong tryOrAdd(Waiters.Waiter waiter) {
    OptionalLong address = waiters.tryOrAdd(waiter);
    if (address.isEmpty()) {
      family.noteWaiting(this);
    }
    return address;
  }

  /** {@return true if requests wait that memory of this member may serve} */
  boolean isAnyWaiting() {
    return family.isAnyWaiting();
  }

  /** Serves the requests that memory of this member may serve. */
  void serveAll() {
    family.serve(this);
  }

  /** Frees a chunk after its use, and serves waiting requests. */
  void freeAndServe(int slot) {
    long held = locked.space().tiled().bytes();
    boolean isEnd = true;
    try {
      isEnd = locked.freeChunk(slot);
    } finally {
      // Pools also get the free ends of the allocators above them.
      if (locked.space().tiled().bytes() < held || (isEnd && family.hasPools())) {
        serveAll();
      } else {
        serveOwn();
      }
    }
  }

  // The family.

  @Override
  public PoolFamily family() {
    return family;
  }

  /** Adds a private pool below this member. */
  void add(FamilyMember pool) {
    try (ShortLock _ = locked.lock().hold()) {
      locked.checkOpen();
      family.add(pool);
    }
  }

  @Override
  public long limitBytes() {
    return Math.min(locked.space().supply().limitBytes(), family.limitBytes());
  }

  @Override
  public long heldBytes() {
    return locked.space().supply().heldBytes();
  }

  @Override
  public long availableBytes() {
    return locked.space().supply().availableBytes();
  }

  @Override
  public boolean trimForPool() {
    locked.settle();
    return locked.space().trim() > 0;
  }

  /**
   * Sets the limit, and answers waiting requests for which the limit decides.
   *
   * @param bytes the limit, which the options of the allocator allow
   */
  LimitChange setLimit(long bytes) {
    try (ShortLock _ = locked.lock().hold()) {
      locked.checkOpen();
      locked.settle();
      RegionSpace space = locked.space();
      long before = space.tiled().bytes();
      try {
        space.setLimit(bytes);
      } finally {
        family.waiting().forEach(PoolFamily.Member::dismissHopeless);
        serveAll();
      }
      return new LimitChange(bytes, space.limitBytes(), before - space.tiled().bytes());
    }
  }

  /** As {@link MemoryAccount#open}, with the lock: a request that fails is charged meanwhile. */
  Optional<Exhausted> open(MemoryAccount account, MemoryAccount child) {
    try (ShortLock _ = locked.lock().hold()) {
      return account.open(child);
    }
  }

  @Override
  public long setLimit(MemoryAccount account, long bytes) {
    try (ShortLock _ = locked.lock().hold()) {
      locked.checkNotCalledBack();
      long limitBytes = account.changeLimit(bytes);
      dismissHopeless();
      waiters.noteReleased(account);
      serveOwn();
      return limitBytes;
    }
  }

  // The end.

  @Override
  public boolean hasEnded() {
    return locked.isClosed() && heldBytes() == 0;
  }

  /** Frees all chunks and returns all regions, including the regions of private pools. */
  @Override
  public void close() {
    Failures failures = new Failures();
    endRequests().forEach(pool -> failures.attempt(pool::close));
    failures.attempt(this::closeThis);
    failures.throwFirst();
  }

  /** Rejects requests, and returns memory as soon as it is free. */
  @Override
  public void closeWhenFree() {
    Failures failures = new Failures();
    endRequests().forEach(pool -> failures.attempt(pool::closeWhenFree));
    failures.attempt(this::returnWhenFree);
    failures.throwFirst();
  }

  /** Rejects requests from now on and {@return the private pools} */
  private List<PoolFamily.Member> endRequests() {
    try (ShortLock _ = locked.lock().hold()) {
      locked.end();
      waiters.dismiss(() -> {
        throw locked.closedException();
      });
      return family.pools();
    }
  }

  private void closeThis() {
    Optional<RegionSpace> left = Optional.empty();
    try (ShortLock _ = locked.lock().hold()) {
      locked.settle();
      RegionSpace emptied = locked.space().emptied();
      left = Optional.of(locked.space());
      locked.replace(emptied);
      try {
        emptied.releaseAll();
      } finally {
        serveAll();
      }
    } finally {
      left.ifPresent(this::reportLeaks);
    }
  }

  /** Releases the charges of allocations that were still in use, and reports these allocations. */
  private void reportLeaks(RegionSpace left) {
    List<Allocation> unfreed;
    try {
      unfreed = new SpaceReader(left).allocations(); // with their tags and stacks
    } finally {
      left.tiled().slotsInUse().forEach(slot -> LockedSpace.releaseOrigin(left.chunks(), slot));
    }
    InUseReport leaks = new InUseReport(locked.allocator(), unfreed);
    if (!leaks.isEmpty()) {
      AllocatorLog.LOGGER.log(System.Logger.Level.WARNING, () -> "leaked by close(): " + leaks);
      events.leaked(leaks);
    }
  }

  private void returnWhenFree() {
    try (ShortLock _ = locked.lock().hold()) {
      locked.settle();
      try {
        locked.space().returnWhenFree();
      } finally {
        serveAll();
      }
    }
  }
}
