package dev.stowage.memory.pool;

import static dev.stowage.memory.lifetime.Invariants.check;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocationBudget;
import dev.stowage.core.bfc.LeakReport;
import dev.stowage.core.slab.AllocationGroup;
import dev.stowage.core.slab.SlabAllocator;
import dev.stowage.memory.lifetime.Failures;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The arenas of a pool, from their opening to the end of the pool. Safe for use by many threads.
 */
final class PoolArenas {

  /*
   *   P1  a chunk in use belongs to exactly one arena, and is freed once, after the JDK has ended
   *       that arena's segments;
   *   P2  an arena is a group of the slabs from before its first chunk or slot until after its last;
   *   P3  regions are returned when there is no open arena and none can be added;
   *   P4  when the pool closes, all segments end before the first chunk is freed: if one cannot end,
   *       the memory of the others is unchanged.
   *
   * A thread may wait for an arena's lock while it holds `closing`, and for the locks of the slabs, the
   * allocator and the freed memory while it holds an arena's lock; never the other way round.
   */

  private static final System.Logger LOGGER = System.getLogger("dev.stowage.memory");

  /** The arenas that a message names; it counts the others. */
  private static final int MAX_NAMED = 5;

  private final PoolChunks chunks;
  private final SlabAllocator slabs;

  /** Serializes threads that close the pool. */
  private final Object closing = new Object();

  /** For allocations that live as long as the pool; the arena with number 0. */
  private final SharedArena lasting;

  /** True if all arenas have ended; false while the pool is closing. */
  private boolean emptied;

  PoolArenas(PoolChunks chunks) {
    this.chunks = chunks;
    this.slabs = chunks.slabs();
    this.lasting = new SharedArena(chunks, ArenaKind.LASTING);
    lasting.register();
  }

  SharedArena lasting() {
    return lasting;
  }

  ConfinedArena openConfined(ArenaKind kind) {
    checkOpen();
    return new ConfinedArena(chunks, kind);
  }

  SharedArena openShared(ArenaKind kind) {
    checkOpen();
    return new SharedArena(chunks, kind);
  }

  ConfinedArena openConfined(ArenaKind kind, Optional<AllocationBudget> budget) {
    checkOpen();
    return new ConfinedArena(charged(budget), kind);
  }

  SharedArena openShared(ArenaKind kind, Optional<AllocationBudget> budget) {
    checkOpen();
    return new SharedArena(charged(budget), kind);
  }

  private PoolChunks charged(Optional<AllocationBudget> budget) {
    PoolRequest.checkBudget(budget, chunks.poolName(), chunks.allocator());
    return budget.map(chunks::chargedTo).orElse(chunks);
  }

  CountedMemory openCounted() {
    checkOpen();
    return new CountedMemory(chunks);
  }

  private void checkOpen() {
    if (slabs.isClosed()) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "pool '%s' is closed", chunks.poolName()));
    }
  }

  /** {@return the open arenas in the order of their registration, without the lasting memory} */
  private List<PoolOwner> open() {
    return arenas(slabs.groups());
  }

  private List<PoolOwner> arenas(List<AllocationGroup> groups) {
    return groups.stream()
        .<PoolOwner>map(PoolOwner.class::cast)
        .filter(arena -> !arena.equals(lasting))
        .toList();
  }

  /** Ends all arenas and returns the regions, as {@link MemoryPool#close()}. */
  void close() {
    if (!Thread.holdsLock(closing)) {
      checkNotEndingHere();
    }
    synchronized (closing) {
      if (isEmptied()) {
        chunks.allocator().close(); // which may have regions that the system did not take back
      } else {
        closeAll(refuseNewArenas());
      }
    }
  }

  /**
   * Rejects a thread that is closing an arena: it would wait for the thread that closes the pool,
   * which waits for that arena.
   */
  private void checkNotEndingHere() {
    List<PoolOwner> ending = open().stream().filter(PoolOwner::isEndingHere).toList();
    if (!ending.isEmpty()) {
      throw inUse(ending);
    }
  }

  private synchronized boolean isEmptied() {
    return emptied;
  }

  /** Rejects new arenas from now on and {@return the open ones, none of which is in use} */
  private List<PoolOwner> refuseNewArenas() {
    Set<PoolOwner> checked = new HashSet<>();
    List<PoolOwner> left;
    do {
      left = openArenas();
      List<PoolOwner> inUse =
          left.stream().filter(checked::add).filter(PoolOwner::isInUse).toList();
      if (!inUse.isEmpty()) {
        throw inUse(inUse);
      }
    } while (!refuseNewArenas(checked)); // other threads may have opened arenas meanwhile
    return left;
  }

  private List<PoolOwner> openArenas() {
    if (slabs.isClosed()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' cannot be closed: this thread is already closing it; return from that call first",
              chunks.poolName()));
    }
    List<PoolOwner> open = open();
    checkNotOfOthers(open);
    return lasting.isUsed()
        ? Stream.concat(Stream.<PoolOwner>of(lasting), open.stream()).toList()
        : open;
  }

  private boolean refuseNewArenas(Set<PoolOwner> checked) {
    boolean closed = slabs.closeIf(groups -> checked.containsAll(arenas(groups)));
    if (closed && !open().isEmpty()) {
      LOGGER.log(System.Logger.Level.WARNING, this::describeLeaks);
    }
    return closed;
  }

  private void checkNotOfOthers(List<PoolOwner> open) {
    List<PoolOwner> others = open.stream().filter(PoolOwner::isOfAnotherThread).toList();
    if (!others.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' cannot be closed by thread '%s': %s; close it there first",
              chunks.poolName(),
              Thread.currentThread().getName(),
              describe(others)));
    }
  }

  /** {@return the warning of {@link #close()} about open arenas} */
  String describeLeaks() {
    return String.format(
        Locale.ROOT,
        "pool '%s' is closed, and with it %s%n%s",
        chunks.poolName(),
        describe(open()),
        leaks());
  }

  /** {@return the allocations of all arenas but the lasting one} */
  LeakReport leaks() {
    Set<Long> kept = Set.copyOf(lasting.addresses());
    List<Allocation> leaks =
        slabs.allocations().stream()
            .filter(allocation -> !kept.contains(allocation.address()))
            .toList();
    return new LeakReport(chunks.poolName(), leaks);
  }

  private static String describe(List<PoolOwner> arenas) {
    String named =
        arenas.stream().limit(MAX_NAMED).map(PoolOwner::describe).collect(Collectors.joining(", "));
    int more = arenas.size() - MAX_NAMED;
    return more > 0 ? String.format(Locale.ROOT, "%s and %d more", named, more) : named;
  }

  private void closeAll(List<PoolOwner> left) {
    Failures failures = new Failures();
    left.forEach(arena -> failures.attempt(arena::endSegments));
    failures.attempt(lasting::endSegments);
    List<PoolOwner> held =
        Stream.concat(left.stream(), Stream.of(lasting))
            .filter(arena -> !arena.hasEnded())
            .toList();
    if (!held.isEmpty()) {
      throw reopened(held, failures);
    }
    left.forEach(arena -> failures.attempt(arena::freeMemory));
    failures.attempt(lasting::freeMemory);
    setEmptied();
    failures.attempt(slabs::returnEmptySlabs);
    failures.attempt(chunks.allocator()::close);
    chunks.freed().ifPresent(watch -> failures.attempt(watch::throwFindings));
    failures.throwFirst();
  }

  private synchronized void setEmptied() {
    emptied = true;
  }

  private IllegalStateException reopened(List<PoolOwner> held, Failures failures) {
    slabs.reopen();
    IllegalStateException failure = inUse(held);
    failures.suppressIn(failure);
    return failure;
  }

  private IllegalStateException inUse(List<PoolOwner> arenas) {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "pool '%s' cannot be closed: %s is in use by a native call or its own closing",
            chunks.poolName(),
            describe(arenas)));
  }

  /** Checks P1 to P4, while no other thread uses the pool. */
  synchronized void checkInvariants() {
    Set<Long> inUse =
        slabs.allocations().stream().map(Allocation::address).collect(Collectors.toSet());
    Map<Long, PoolOwner> owners = new HashMap<>();
    List<PoolOwner> open = open();
    for (PoolOwner arena : Stream.concat(Stream.<PoolOwner>of(lasting), open.stream()).toList()) {
      boolean isOpen = arena.isOpen() || slabs.isClosed();
      check(isOpen, "P2 a closed arena is open", arena::describe);
      for (long address : arena.addresses()) {
        check(inUse.contains(address), "P1 an arena holds a free chunk", arena::describe);
        PoolOwner other = owners.put(address, arena);
        check(other == null, "P1 two arenas hold one chunk", arena::describe);
      }
    }
    check(owners.keySet().equals(inUse), "P2 a chunk in use is in no open arena", () -> inUse);
    boolean isEmpty = open.isEmpty() && chunks.allocator().regions().isEmpty();
    check(isEmpty || !emptied, "P3 the closed pool has arenas or regions", chunks::poolName);
    check(lasting.hasEnded() || !emptied, "P4 the closed pool has segments", chunks::poolName);
  }
}
