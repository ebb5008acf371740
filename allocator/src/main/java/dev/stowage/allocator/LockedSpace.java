package dev.stowage.allocator;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** A {@link RegionSpace} and its front cache behind a lock, with copies to read without it. */
final class LockedSpace {

  /*
   * A caller holds the lock for a sequence of steps. The methods of the second part take the lock
   * themselves, or need none.
   */

  private static final int NONE = RegionSpace.NONE;

  private final String allocator;
  private final AllocatorEvents events;
  private final Callbacks callbacks;
  private final SubAllocator device;
  private final ShortLock lock;
  private final FrontCache cache;

  /** The space, which {@link #replace} replaces. */
  private RegionSpace space;

  private boolean closed;

  /** True if the table of chunks may need more room; written with the lock and read without it. */
  private boolean isRoomWanted;

  LockedSpace(
      String allocator,
      SubAllocator device,
      BfcOptions options,
      PlacementRule placement,
      AllocatorEvents events,
      Callbacks callbacks,
      ShortLock lock,
      Relatives relatives) {
    this.allocator = allocator;
    this.events = events;
    this.callbacks = callbacks;
    this.device = device;
    this.lock = lock;
    SubAllocator tracked = callbacks.tracking(new VisitedSubAllocator(device, events));
    space = new RegionSpace(allocator, tracked, options, placement, relatives);
    cache = new FrontCache(options, events.isObserved() || options.hasStacks());
  }

  /** {@return a space with the lock and the device of this one} */
  LockedSpace openPrivate(
      String pool,
      BfcOptions options,
      PlacementRule placement,
      AllocatorEvents poolEvents,
      Relatives relatives) {
    return new LockedSpace(
        pool, device, options, placement, poolEvents, callbacks, lock, relatives);
  }

  ShortLock lock() {
    return lock;
  }

  AllocatorEvents events() {
    return events;
  }

  Callbacks callbacks() {
    return callbacks;
  }

  // Steps with the lock.

  /** {@return the space, which may have lent chunks to the front cache} */
  RegionSpace space() {
    return space;
  }

  /** {@return the address of a chunk} */
  long address(int slot) {
    return space.chunks().address(slot);
  }

  /** Replaces the space. */
  void replace(RegionSpace emptied) {
    space = emptied;
  }

  /** Takes all chunks back from the front cache. */
  void settle() {
    cache.settle(space);
  }

  /** {@return the slot of a chunk, now in use, or {@link RegionSpace#NONE}} */
  int tryTake(long bytes, long alignment, PlacementRule placement, Origin origin) {
    checkRequest(bytes, alignment);
    int slot = takeChunk(bytes, alignment, placement);
    if (space.chunks().slotsWanted() > 0) {
      isRoomWanted = true;
    }
    if (slot != NONE) {
      space.chunks().setOrigin(slot, origin);
      if (origin.isSlab()) {
        space.countSlab();
      }
      boolean reported = false;
      try {
        if (placement.equals(TwoEnds.FROM_HIGH)) {
          events.unrepeatable(
              "The recording has requests for the high end of a region: the replay places them at the low end.");
        }
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

  private int takeChunk(long bytes, long alignment, PlacementRule placement) {
    return cache.hasStripes()
        ? takeSettled(bytes, alignment, placement)
        : space.take(bytes, alignment, placement);
  }

  /**
   * Takes a chunk; the front cache is emptied before the request fails, or more memory is added.
   */
  private int takeSettled(long bytes, long alignment, PlacementRule placement) {
    int slot = space.takeHeld(bytes, alignment, placement);
    if (slot != NONE) {
      return slot;
    }
    if (cache.isWorthEmptying()) {
      cache.settle(space);
    }
    slot = space.take(bytes, alignment, placement);
    if (slot == NONE && cache.settle(space)) {
      slot = space.take(bytes, alignment, placement);
    }
    return slot;
  }

  /**
   * {@return the slot of the chunk in use at an address, which is not lent, or {@link
   * RegionSpace#NONE}}
   */
  int find(long address) {
    return cache.reclaim(space, address);
  }

  /** Lends a freed chunk to the front cache, or {@return false if it has no room} */
  boolean tryLend(int slot) {
    return cache.put(space, slot);
  }

  /**
   * Frees a chunk in the space and {@return true if the end of its region is free now}
   *
   * <p>If free ends of regions are returned at once, the front cache is emptied before.
   */
  boolean freeChunk(int slot) {
    if (space.isTrimmingEnds()) {
      cache.settle(space);
    }
    return space.free(slot);
  }

  /** Drops the stack of an allocation, and releases its charge to {@return an account} */
  static Optional<MemoryAccount> releaseOrigin(ChunkTable chunks, int slot) {
    Origin origin = chunks.origin(slot);
    if (!origin.hasResources()) {
      return Optional.empty();
    }
    if (origin.account().isPresent()) { // no lambda, which would be an object for each free
      origin
          .account()
          .get()
          .release(Quantum.roundedBytes(chunks.requestedBytes(slot)), origin.tag());
    }
    chunks.setOrigin(slot, Origin.NONE);
    return origin.account();
  }

  /** {@return the facts about an address at which no chunk is in use} */
  WrongAddress wrong(long address) {
    cache.settle(space);
    return new WrongAddress(address, space.copy(Optional.empty()));
  }

  /** Rejects requests from now on. */
  void end() {
    callbacks.checkNotCalledBack();
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /** {@return true if foreign code runs, which has been called with the lock} */
  boolean isCalledBack() {
    return callbacks.isRunning();
  }

  /**
   * Checks a request.
   *
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the allocator is closed, or foreign code is the caller
   */
  void checkRequest(long bytes, long alignment) {
    checkOpen();
    Quantum.checkRequest(bytes, alignment);
  }

  /**
   * Checks that the allocator accepts calls.
   *
   * @throws IllegalStateException if the allocator is closed, or foreign code is the caller
   */
  void checkOpen() {
    checkNotCalledBack();
    if (closed) {
      throw closedException();
    }
  }

  /**
   * Checks that no foreign code is the caller.
   *
   * @throws IllegalStateException if it is
   */
  void checkNotCalledBack() {
    callbacks.checkNotCalledBack();
  }

  IllegalStateException closedException() {
    return new IllegalStateException(
        String.format(Locale.ROOT, "allocator '%s' is closed", allocator));
  }

  /**
   * Checks all invariants.
   *
   * @param isAnyWaiting true if requests wait
   * @throws AssertionError if one does not hold; the message has its label
   */
  void checkInvariants(boolean isAnyWaiting) {
    cache.checkInvariants(space, isAnyWaiting);
    new SpaceCheck(allocator, space).run();
  }

  // Steps without the lock.

  /** {@return the name of the allocator, for messages} */
  String allocator() {
    return allocator;
  }

  /** {@return the front cache; some requests and frees use its chunks without this lock} */
  FrontCache cache() {
    return cache;
  }

  /** Makes room for more chunks before a large table is full. */
  void makeRoomAhead() {
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

  /** {@return room for a copy, with a reserve for chunks that other threads add} */
  ChunkTable.Room roomForCopy() {
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
}
