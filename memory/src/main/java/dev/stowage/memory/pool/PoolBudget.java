package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationBudget;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.MemoryAccount;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A share of a pool's memory for {@linkplain PoolRequest#chargedTo requests}, with a limit, a
 * reservation and children.
 *
 * {@snippet :
 * try (PoolBudget requests = pool.openBudget("requests", 1 << 30);
 *     PoolBudget request = requests.child("request 7", 64 << 20, 256 << 20);
 *     MemoryBlock keys = pool.allocate(PoolRequest.of(1 << 20).chargedTo(request))) {
 *   keys.segment().fill((byte) 0);
 * }
 * }
 *
 * <p>A request is charged, in multiples of 256 bytes, to its budget and to all budgets above it. A
 * reservation is charged to the parent at once, so that other budgets cannot use it. A budget that
 * is never closed keeps its reservation. If the garbage collector finds one, the logger {@code
 * dev.stowage.memory} reports it as it reports {@linkplain MemoryPool arenas}.
 *
 * <p>Safe for use by many threads.
 */
public final class PoolBudget implements AutoCloseable {

  private final BfcAllocator allocator;
  private final AllocationBudget budget;
  private final HandleWatch watch;

  /** Shared with the report of the budget, which must not refer to it. */
  private final AtomicBoolean closed = new AtomicBoolean();

  private PoolBudget(BfcAllocator allocator, AllocationBudget budget, HandleWatch watch) {
    this.allocator = allocator;
    this.budget = budget;
    this.watch = watch;
  }

  /** {@return a budget of a pool, without a parent} */
  static PoolBudget root(String name, BfcAllocator allocator, long limitBytes, HandleWatch watch) {
    return watched(allocator, AllocationBudget.root(name, allocator, limitBytes), watch);
  }

  private static PoolBudget watched(
      BfcAllocator allocator, AllocationBudget budget, HandleWatch watch) {
    PoolBudget handle = new PoolBudget(allocator, budget, watch);
    if (watch.isNext()) {
      AtomicBoolean closed = handle.closed;
      watch.report(() -> !closed.get(), () -> describe(allocator, budget)).watch(handle);
    }
    return handle;
  }

  private static String describe(BfcAllocator allocator, AllocationBudget budget) {
    return String.format(
        Locale.ROOT,
        "pool '%s': budget '%s' became unreachable without being closed, and its reservation of %d bytes is kept: call close()",
        allocator.name(),
        budget.account().path(),
        budget.account().reservedBytes());
  }

  /**
   * {@return a child of this budget}
   *
   * @param name the name in messages, which is appended to the path of this budget
   * @param reservedBytes the bytes that are charged to this budget now and kept for the child
   * @param limitBytes the most bytes that may be charged to the child; {@link Long#MAX_VALUE} for
   *     as many as this budget has
   * @throws IllegalArgumentException unless {@code 0 <= reservedBytes <= limitBytes}
   * @throws IllegalStateException if this budget is closed
   * @throws BfcOutOfMemoryException if the reservation exceeds the limit of this budget or of one
   *     above it
   */
  public PoolBudget child(String name, long reservedBytes, long limitBytes) {
    return watched(allocator, budget.child(name, reservedBytes, limitBytes), watch);
  }

  /** {@return the source of allocations that are charged} */
  AllocationBudget charged() {
    return budget;
  }

  boolean isOf(BfcAllocator other) {
    return other == allocator;
  }

  /** {@return the account, with its use and its limit; other bytes may be charged to it, too} */
  public MemoryAccount account() {
    return budget.account();
  }

  /**
   * Releases the reservation; has no effect if the budget is closed.
   *
   * @throws IllegalStateException if memory is still charged to this budget, or it has open
   *     children; the message names them, and nothing changes
   */
  @Override
  public void close() {
    budget.close();
    closed.set(true);
  }
}
