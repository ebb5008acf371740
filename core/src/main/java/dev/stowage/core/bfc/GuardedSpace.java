package dev.stowage.core.bfc;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/** A {@link RegionSpace} behind a lock, with the requests that wait for its memory. */
final class GuardedSpace implements Waiters.Server, PoolFamily.Member {

  private static final int NONE = RegionSpace.NONE;

  private final String allocator;
  private final BfcOptions options;
  private final boolean hasTwoEnds;
  private final AllocatorEvents events;
  private final Callbacks callbacks;
  private final SubAllocator device;
  private final ShortLock lock;
  private final Waiters waiters;
  private final FrontCache cache;
  private final PoolFamily family;

  /** The space, which {@link #close()} replaces. */
  private RegionSpace space;

  private boolean closed;

  /** True if the table of chunks may need more room; written with the lock and read without it. */
  private boolean isRoomWanted;

  /** Creates the space of an allocator. */
  GuardedSpace(
      String allocator,
      SubAllocator device,
      BfcOptions options,
      AllocatorEvents events,
      Callbacks callbacks) {
    this(allocator, device, options, events, callbacks, new ShortLock(), Optional.empty());
  }

  /** Creates the space of a private pool, with the lock and the device of the space above. */
  GuardedSpace(String pool, BfcOptions options, AllocatorEvents events, GuardedSpace above) {
    this(pool, above.device, options, events, above.callbacks, above.lock, Optional.of(above));
  }

  private GuardedSpace(
      String allocator,
      SubAllocator device,
      BfcOptions options,
      AllocatorEvents events,
      Callbacks callbacks,
      ShortLock lock,
      Optional<PoolFamily.Member> above) {
    this.allocator = allocator;
    this.options = options;
    hasTwoEnds = options.hasTwoEnds();
    this.events = events;
    this.callbacks = callbacks;
    this.device = device;
    this.lock = lock;
    family = new PoolFamily(above);
    SubAllocator tracked = callbacks.tracking(device.withVisitor(events));
    space = new RegionSpace(allocator, tracked, options, family);
    waiters = new Waiters(allocator, this);
    cache = new FrontCache(options, !events.isObserved() && !options.hasStacks());
  }

  // Allocating.

  /** {@return the address of new bytes} */
  long allocate(long bytes, long alignment, End end, Origin origin) {
    long cached = takeCached(bytes, alignment, origin);
    if (cached != FrontCache.NO_ADDRESS) {
      return cached;
    }
    makeRoomAhead();
    Optional<ChunkTable.Room> room = Optional.empty();
    while (true) {
      Optional<RegionSpace> full;
      try (ShortLock _ = lock.hold()) {
        int slot = tryTake(bytes, alignment, end, origin);
        if (slot != NONE) {
          return space.chunks().address(slot);
        }
        full = space.copy(room);
        if (full.isPresent()) {
          events.failed(bytes, origin);
        }
      }
      if (full.isPresent()) {
        throw outOfMemory(full.get(), bytes, alignment, end, origin);
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
      RegionSpace full, long bytes, long alignment, End end, Origin origin) {
    BfcOutOfMemoryException failure =
        BfcOutOfMemoryException.of(
            Shortage.of(full, options, bytes, alignment, end), events.report(full), origin.tag());
    events.outOfMemory(failure, origin.tag());
    return failure;
  }

  /** {@return the address of new bytes, or empty if there is no room} */
  OptionalLong tryAllocate(long bytes, long alignment, End end, Origin origin) {
    long cached = takeCached(bytes, alignment, origin);
    if (cached != FrontCache.NO_ADDRESS) {
      return OptionalLong.of(cached);
    }
    makeRoomAhead();
    try (ShortLock _ = lock.hold()) {
      int slot = tryTake(bytes, alignment, end, origin);
      if (slot == NONE) {
        events.failed(bytes, origin);
        if (events.mayBeRecorded()) {
          events.refused(space.statistics(), bytes, Shortage.verdict(space, bytes), origin.tag());
        }
        return OptionalLong.empty();
      }
      return OptionalLong.of(space.chunks().address(slot));
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
      int slot = tryTake(bytes, alignment, End.LOW, origin);
      return slot == NONE ? OptionalLong.empty() : OptionalLong.of(space.chunks().address(slot));
    }
  }

  /**
   * {@return the address of new bytes, waiting for frees if there is no room; empty if there is
   * still none, or frees cannot help}
   *
   * @param pause as in {@link Waiters.Waiter#await}
   */
  OptionalLong tryOrWait(
      long bytes, long alignment, End end, Duration timeout, Origin origin, LongConsumer pause)
      throws InterruptedException {
    Waiters.Waiter waiter = new Waiters.Waiter(bytes, alignment, end, origin, timeout);
    try (ShortLock _ = lock.hold()) {
      checkRequest(bytes, alignment);
      if (!isWithinLimits(waiter)) {
        return OptionalLong.empty();
      }
      OptionalLong address = waiters.tryOrAdd(waiter);
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
      return waiters.end(waiter);
    }
  }

  private void withdraw(Waiters.Waiter waiter) {
    OptionalLong address;
    try (ShortLock _ = lock.hold()) {
      address = waiters.withdraw(waiter);
    }
    address.ifPresent(this::free);
  }

  /** {@return true if the limits of the allocator and of the budget do not rule out a request} */
  private boolean isWithinLimits(Waiters.Waiter waiter) {
    long rounded = Quantum.roundedBytes(waiter.bytes());
    Optional<BudgetAccount> account = waiter.origin().account();
    return rounded <= limitBytes() && (account.isEmpty() || account.get().isWithinLimits(rounded));
  }

  @Override
  public Waiters.Attempt take(Waiters.Waiter waiter) {
    Optional<BudgetAccount> account = waiter.origin().account();
    if (account.isEmpty()) {
      return new Waiters.Attempt(address(takeUncharged(waiter)), Optional.empty());
    }
    long charged = Quantum.roundedBytes(waiter.bytes());
    Optional<BudgetAccount.Exhausted> exhausted = account.get().tryCharge(charged);
    if (exhausted.isPresent()) {
      cache.settle(space); // K8
      return new Waiters.Attempt(
          OptionalLong.empty(), exhausted.map(BudgetAccount.Exhausted::account));
    }
    int slot = NONE;
    try {
      slot = takeUncharged(waiter);
    } finally {
      account.get().settle(charged, slot != NONE);
    }
    return new Waiters.Attempt(address(slot), Optional.empty());
  }

  private int takeUncharged(Waiters.Waiter waiter) {
    return tryTake(waiter.bytes(), waiter.alignment(), waiter.end(), waiter.origin());
  }

  private OptionalLong address(int slot) {
    return slot == NONE ? OptionalLong.empty() : OptionalLong.of(space.chunks().address(slot));
  }

  /**
   * Serves waiting requests after a change of a budget.
   *
   * <p>Has no effect in a callback, which runs with the lock: no request has failed meanwhile.
   */
  void serve() {
    try (ShortLock _ = lock.hold()) {
      if (!waiters.isEmpty() && !callbacks.isRunning()) {
        waiters.serve();
      }
    }
  }

  @Override
  public boolean freesMayServe(Waiters.Waiter waiter) {
    return space.freesMayServe(waiter.bytes(), waiter.alignment());
  }

  /** {@return the slot of a chunk, now in use, or {@link RegionSpace#NONE}} */
  private int tryTake(long bytes, long alignment, End end, Origin origin) {
    checkRequest(bytes, alignment);
    int slot = takeChunk(bytes, alignment, end);
    if (space.chunks().slotsWanted() > 0) {
      isRoomWanted = true;
    }
    if (slot != NONE) {
      space.chunks().setOrigin(slot, origin);
      boolean reported = false;
      try {
        events.allocated(space, slot);
        reported = true;
      } finally {
        if (!reported) { // the listener threw, and the request fails
          events.freed(space, slot);
          space.free(slot);
        }
      }
    }
    return slot;
  }

  private int takeChunk(long bytes, long alignment, End end) {
    if (hasTwoEnds) {
      return space.take(bytes, alignment, end);
    }
    return cache.isOn() ? takeSettled(bytes, alignment) : space.take(bytes, alignment);
  }

  /**
   * Takes a chunk; the front cache is emptied before the request fails, or more memory is added.
   */
  private int takeSettled(long bytes, long alignment) {
    int slot = space.takeHeld(bytes, alignment);
    if (slot != NONE) {
      return slot;
    }
    if (cache.isWorthEmptying()) {
      cache.settle(space);
    }
    slot = space.take(bytes, alignment);
    if (slot == NONE && !cache.isEmpty()) {
      cache.settle(space);
      slot = space.take(bytes, alignment);
    }
    return slot;
  }

  private void checkRequest(long bytes, long alignment) {
    checkOpen();
    Quantum.checkRequest(bytes, alignment);
  }

  private void checkOpen() {
    callbacks.checkNotCalledBack();
    if (closed) {
      throw closedException();
    }
  }

  private IllegalStateException closedException() {
    return new IllegalStateException(
        String.format(Locale.ROOT, "allocator '%s' is closed", allocator));
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
      int slot = find(address);
      if (slot != NONE) {
        boolean cached = false;
        try {
          boolean isCacheable = isCacheable(slot);
          reportFreed(slot);
          cached = isCacheable && cache.put(space, slot);
        } finally {
          if (!cached) {
            freeAndServe(slot);
          }
        }
        return;
      }
      checkOpen();
      wrong = wrong(address);
    }
    throw wrong.nothingToFree(allocator, this::copy);
  }

  /** {@return the slot of the chunk in use at an address, which is not lent, or {@link #NONE}} */
  private int find(long address) {
    int slot = space.find(address);
    return slot != NONE && cache.isOn() ? cache.reclaim(space, slot) : slot;
  }

  private boolean isCacheable(int slot) {
    return isCacheUsed()
        && !closed
        && !family.isAnyWaiting(this)
        && !space.chunks().origin(slot).hasResources();
  }

  private void reportFreed(int slot) {
    long id = space.chunks().allocationId(slot);
    events.freed(space, slot);
    releaseOrigin(space.chunks(), slot);
    events.notifyFreed(id);
  }

  /** Releases the charge for an allocation, and drops its stack. */
  private static void releaseOrigin(ChunkTable chunks, int slot) {
    Origin origin = chunks.origin(slot);
    if (origin.hasResources()) {
      if (origin.account().isPresent()) { // no lambda, which would be an object for each free
        origin.account().get().release(Quantum.roundedBytes(chunks.requestedBytes(slot)));
      }
      chunks.setOrigin(slot, Origin.NONE);
    }
  }

  private void freeAndServe(int slot) {
    if (space.trimsEnds()) {
      cache.settle(space);
    }
    try {
      space.free(slot);
    } finally {
      family.serve(this);
    }
  }

  /**
   * Frees the allocation at an address and gives its chunk to a new request, in one step; or
   * {@return the account that has too little left for the request, and nothing changes}
   */
  Optional<BudgetAccount.Exhausted> reuse(long address, long bytes, Origin origin) {
    WrongAddress wrong;
    try (ShortLock _ = lock.hold()) {
      checkRequest(bytes, Quantum.BYTES);
      int slot = find(address);
      if (slot != NONE) {
        checkFits(bytes, slot);
        return reuse(slot, bytes, origin);
      }
      wrong = wrong(address);
    }
    throw wrong.nothingToFree(allocator, this::copy);
  }

  private Optional<BudgetAccount.Exhausted> reuse(int slot, long bytes, Origin origin) {
    ChunkTable chunks = space.chunks();
    Optional<BudgetAccount.Exhausted> exhausted =
        BudgetAccount.replace(
            chunks.origin(slot).account(),
            Quantum.roundedBytes(chunks.requestedBytes(slot)),
            origin.account(),
            Quantum.roundedBytes(bytes));
    if (exhausted.isPresent()) {
      return exhausted;
    }
    long id = chunks.allocationId(slot);
    try {
      events.freed(space, slot);
      events.notifyFreed(id);
    } finally {
      space.reuse(slot, bytes);
      chunks.setOrigin(slot, origin);
      serveOwn(); // a budget may have more left
    }
    events.allocated(space, slot);
    return Optional.empty();
  }

  private void checkFits(long bytes, int slot) {
    if (bytes > space.chunks().bytes(slot)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a chunk of allocator '%s' is too small to be reused for the request: bytes=%d, chunk=%d, address=0x%x",
              allocator,
              bytes,
              space.chunks().bytes(slot),
              space.chunks().address(slot)));
    }
  }

  private WrongAddress wrong(long address) {
    cache.settle(space);
    return new WrongAddress(address, space.copy(Optional.empty()), events.lastFreedAround(address));
  }

  /** Returns free memory to the sub-allocator. */
  TrimResult trim() {
    long bytes;
    Optional<RegionSpace> trimmed;
    try (ShortLock _ = lock.hold()) {
      checkOpen();
      cache.settle(space);
      try {
        bytes = space.trim();
        trimmed = space.copy(Optional.empty());
      } finally {
        family.serve(this);
      }
    }
    return new TrimResult(bytes, trimmed.orElseGet(this::copy).pinned());
  }

  /** Sets the limit, and answers waiting requests for which the limit decides. */
  LimitChange setLimit(long bytes) {
    BfcOptions checked = options.withLimit(bytes);
    try (ShortLock _ = lock.hold()) {
      checkOpen();
      cache.settle(space);
      long before = space.tiled().bytes();
      try {
        space.setLimit(checked.limitBytes());
      } finally {
        waiters.dismissIf(waiter -> !isWithinLimits(waiter));
        family.serve(this);
      }
      return new LimitChange(bytes, space.limitBytes(), before - space.tiled().bytes());
    }
  }

  /** Frees all chunks and returns all regions, also those of private pools. */
  @Override
  public void close() {
    RegionSupply.attempt(endRequests(), PoolFamily.Member::close, this::closeThis);
  }

  /** Rejects requests from now on and {@return the private pools} */
  private List<PoolFamily.Member> endRequests() {
    try (ShortLock _ = lock.hold()) {
      callbacks.checkNotCalledBack();
      closed = true;
      waiters.dismiss(() -> {
        throw closedException();
      });
      return family.pools();
    }
  }

  private void closeThis() {
    Optional<RegionSpace> left = Optional.empty();
    try (ShortLock _ = lock.hold()) {
      cache.settle(space);
      RegionSpace emptied = space.emptied();
      left = Optional.of(space);
      space = emptied;
      try {
        space.releaseAll();
      } finally {
        family.serve(this);
      }
    } finally {
      left.ifPresent(this::reportLeaks);
    }
  }

  /** Rejects requests, and returns memory as soon as it is free. */
  @Override
  public void closeWhenFree() {
    RegionSupply.attempt(endRequests(), PoolFamily.Member::closeWhenFree, this::returnWhenFree);
  }

  private void returnWhenFree() {
    try (ShortLock _ = lock.hold()) {
      cache.settle(space);
      try {
        space.returnWhenFree();
      } finally {
        family.serve(this);
      }
    }
  }

  // Private pools.

  /** Adds a private pool, whose space has this one above. */
  void add(GuardedSpace pool) {
    try (ShortLock _ = lock.hold()) {
      checkOpen();
      family.add(pool);
    }
  }

  @Override
  public PoolFamily family() {
    return family;
  }

  @Override
  public long limitBytes() {
    return Math.min(space.supply().limitBytes(), family.limitBytes());
  }

  @Override
  public long heldBytes() {
    return space.supply().heldBytes();
  }

  @Override
  public long availableBytes() {
    return space.supply().availableBytes();
  }

  @Override
  public boolean hasEnded() {
    return closed && heldBytes() == 0;
  }

  @Override
  public boolean trimForPool() {
    cache.settle(space);
    return space.trim() > 0;
  }

  @Override
  public boolean isWaiting() {
    return !waiters.isEmpty();
  }

  @Override
  public void serveOwn() {
    if (!waiters.isEmpty()) {
      waiters.serve();
    }
  }

  /** Releases the charges of allocations that were still in use, and reports these allocations. */
  private void reportLeaks(RegionSpace left) {
    left.tiled().slotsInUse().forEach(slot -> releaseOrigin(left.chunks(), slot));
    LeakReport leaks = new LeakReport(allocator, left.allocations());
    if (!leaks.isEmpty()) {
      AllocatorLog.LOGGER.log(System.Logger.Level.WARNING, leaks::toString);
      events.leaked(leaks);
    }
  }

  // Budgets.

  /** Sets the limit of a budget, answers waiting requests, and {@return the new limit} */
  long setLimit(BudgetAccount account, long bytes) {
    try (ShortLock _ = lock.hold()) {
      callbacks.checkNotCalledBack();
      long limitBytes = account.setLimit(bytes);
      waiters.dismissIf(waiter -> !isWithinLimits(waiter));
      serveOwn();
      return limitBytes;
    }
  }

  /**
   * Moves the charge for an allocation to another account, or {@return the reason why it cannot}
   */
  Optional<BudgetAccount.Unpaid> transfer(
      long address, BudgetAccount from, BudgetAccount to, UnaryOperator<Origin> charged) {
    WrongAddress wrong;
    try (ShortLock _ = lock.hold()) {
      checkOpen();
      int slot = find(address);
      if (slot != NONE && space.chunks().origin(slot).isChargedTo(from)) {
        return transfer(slot, from, to, charged);
      }
      wrong = wrong(address);
    }
    throw new IllegalStateException(
        String.format(
            Locale.ROOT,
            "nothing at %d is charged to budget '%s': %s",
            address,
            from.path(),
            wrong.describe(this::copy)));
  }

  private Optional<BudgetAccount.Unpaid> transfer(
      int slot, BudgetAccount from, BudgetAccount to, UnaryOperator<Origin> charged) {
    ChunkTable chunks = space.chunks();
    long requestedBytes = chunks.requestedBytes(slot);
    Optional<BudgetAccount.Exhausted> exhausted =
        from.move(Quantum.roundedBytes(requestedBytes), to);
    if (exhausted.isEmpty()) {
      chunks.setOrigin(slot, charged.apply(chunks.origin(slot)));
      serveOwn();
    }
    return exhausted.map(account -> new BudgetAccount.Unpaid(account, requestedBytes));
  }

  // Room for chunks, and copies.

  /** Makes room for more chunks, without the lock, before a large table is full. */
  private void makeRoomAhead() {
    if (isRoomWanted) {
      int slots;
      try (ShortLock _ = lock.hold()) {
        isRoomWanted = false;
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

  /**
   * {@return room for a copy, allocated without the lock, with a reserve for chunks that other
   * threads add}
   */
  private ChunkTable.Room roomForCopy() {
    int slots = read(current -> current.chunks().usedSlots());
    return new ChunkTable.Room(slots + slots / 16);
  }

  /** {@return the space as it is now, for reading without the lock} */
  RegionSpace copy() {
    Optional<RegionSpace> copy = read(current -> current.copy(Optional.empty()));
    while (copy.isEmpty()) {
      Optional<ChunkTable.Room> room = Optional.of(roomForCopy());
      copy = read(current -> current.copy(room));
    }
    return copy.get();
  }

  /** {@return the result of a function that is called with the lock, and with no cached chunks} */
  <T> T read(Function<RegionSpace, T> question) {
    try (ShortLock _ = lock.hold()) {
      cache.settle(space);
      return question.apply(space);
    }
  }

  /** Runs an action with the lock, and with no cached chunks. */
  void run(Consumer<RegionSpace> action) {
    try (ShortLock _ = lock.hold()) {
      cache.settle(space);
      action.accept(space);
    }
  }

  int waitingRequests() {
    try (ShortLock _ = lock.hold()) {
      return waiters.count();
    }
  }

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
      cache.checkInvariants(space, !waiters.isEmpty());
      new SpaceCheck(allocator, space).run();
    }
  }
}
