package dev.stowage.memory.pool;

import static dev.stowage.memory.lifetime.Invariants.check;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.InUseReport;
import dev.stowage.allocator.internal.SlotUse;
import dev.stowage.allocator.slab.SlabAllocator;
import java.util.HashMap;
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
   *   P2  an arena is a group of the slab allocator at least as long as it has chunks or slots;
   *   P3  regions are returned when there is no open arena and none can be added;
   *   P4  when the pool closes, all segments end before the first chunk is freed: if one cannot end,
   *       the memory of the others is unchanged.
   *
   * A thread that holds the lock of an arena may wait for the locks of the slab allocator, the
   * allocator and the freed memory; a thread that holds one of these never waits for an arena.
   */

  /** The number of arenas that a message names; it counts the others. */
  private static final int MAX_NAMED = 5;

  private final PoolChunks chunks;
  private final SlabAllocator slabs;
  private final PoolEntrance entrance;

  /** The arena with number 0, for allocations that live as long as the pool. */
  private final SharedArena lasting;

  PoolArenas(PoolChunks chunks) {
    this.chunks = chunks;
    this.slabs = chunks.slabs();
    this.lasting = new SharedArena(chunks, ArenaKind.LASTING);
    lasting.register();
    this.entrance = new PoolEntrance(chunks);
  }

  PoolChunks chunks() {
    return chunks;
  }

  PoolEntrance entrance() {
    return entrance;
  }

  SharedArena lasting() {
    return lasting;
  }

  ConfinedArena openConfined(ArenaKind kind) {
    entrance.checkOpen();
    return new ConfinedArena(chunks, kind);
  }

  SharedArena openShared(ArenaKind kind) {
    entrance.checkOpen();
    return new SharedArena(chunks, kind);
  }

  ConfinedArena openConfined(ArenaKind kind, Optional<PoolBudget> budget) {
    entrance.checkOpen();
    return new ConfinedArena(charged(budget), kind);
  }

  SharedArena openShared(ArenaKind kind, Optional<PoolBudget> budget) {
    entrance.checkOpen();
    return new SharedArena(charged(budget), kind);
  }

  private PoolChunks charged(Optional<PoolBudget> budget) {
    PoolRequest.checkBudget(budget, chunks.poolName(), chunks.allocator());
    return budget.map(PoolBudget::charged).map(chunks::chargedTo).orElse(chunks);
  }

  CountedMemory openCounted() {
    entrance.checkOpen();
    return new CountedMemory(chunks);
  }

  /** {@return the open arenas in the order of their registration, without the lasting memory} */
  List<PoolOwner> open() {
    return slabs.groups().stream()
        .map(PoolOwner.class::cast)
        .filter(arena -> !arena.equals(lasting))
        .toList();
  }

  /** {@return the warning of {@link MemoryPool#close()} about open arenas} */
  String describeLeaks() {
    return String.format(
        Locale.ROOT,
        "pool '%s' is closed, and with it %s%n%s",
        chunks.poolName(),
        describe(open()),
        inUse());
  }

  /** {@return the allocations of all arenas but the lasting one} */
  InUseReport inUse() {
    Set<Long> kept = addresses(lasting);
    List<Allocation> inUse =
        chunks.allocator().allocations().stream()
            .filter(allocation -> !kept.contains(allocation.address()))
            .toList();
    return new InUseReport(chunks.poolName(), inUse);
  }

  private static Set<Long> addresses(PoolOwner arena) {
    return arena.allocations().stream().map(SlotUse.Slot::address).collect(Collectors.toSet());
  }

  /** {@return the names of some arenas} */
  static String describe(List<PoolOwner> arenas) {
    String named =
        arenas.stream().limit(MAX_NAMED).map(PoolOwner::describe).collect(Collectors.joining(", "));
    int more = arenas.size() - MAX_NAMED;
    return more > 0 ? String.format(Locale.ROOT, "%s and %d more", named, more) : named;
  }

  /** Checks P1 to P4 while no other thread uses the pool. */
  void checkInvariants() {
    chunks.checkInvariants();
    boolean isClosed = entrance.isClosed();
    Set<Long> inUse =
        chunks.allocator().allocations().stream()
            .map(Allocation::address)
            .collect(Collectors.toSet());
    Map<Long, PoolOwner> owners = new HashMap<>();
    List<PoolOwner> open = open();
    for (PoolOwner arena : Stream.concat(Stream.<PoolOwner>of(lasting), open.stream()).toList()) {
      boolean isOpen = arena.isOpen() || isClosed;
      check(isOpen, "P2 a closed arena is open", arena::describe);
      for (long address : addresses(arena)) {
        check(inUse.contains(address), "P1 an arena holds a free chunk", arena::describe);
        PoolOwner other = owners.put(address, arena);
        check(other == null, "P1 two arenas hold one chunk", arena::describe);
      }
    }
    check(owners.keySet().equals(inUse), "P2 a chunk in use is in no open arena", () -> inUse);
    boolean isEmpty = open.isEmpty() && chunks.allocator().regions().isEmpty();
    check(isEmpty || !isClosed, "P3 the closed pool has arenas or regions", chunks::poolName);
    check(lasting.hasEnded() || !isClosed, "P4 the closed pool has segments", chunks::poolName);
  }
}
