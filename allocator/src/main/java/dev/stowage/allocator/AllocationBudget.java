package dev.stowage.allocator;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * A share of an allocator's memory, with a limit, a reservation and child budgets.
 *
 * <p>An allocation through a budget is charged to the budget and to all budgets above it. If this
 * would exceed the limit of one of them, the request fails. A reservation is charged to the parent
 * at once, so that other budgets cannot use it. Budgets count the rounded bytes of requests. They
 * hold no memory.
 *
 * {@snippet :
 * AllocationBudget gpu = AllocationBudget.root("gpu", allocator, 8L << 30);
 * try (AllocationBudget request = gpu.child("request 7", 64 << 20, 1 << 30)) {
 *   long address = request.allocate(1 << 20);
 *   allocator.free(address);
 * }
 * }
 *
 * <p>Safe for use by many threads. A budget at depth d adds O(d) to the cost of a request.
 *
 * <p>After Arrow's child allocators ({@code Accountant}).
 */
public final class AllocationBudget implements AllocationSource, AutoCloseable {

  private final BfcAllocator allocator;
  private final MemoryAccount account;

  /** The origin of the latest allocation, which allocations with the same tag share. */
  private volatile Origin latestOrigin;

  private AllocationBudget(BfcAllocator allocator, MemoryAccount account) {
    this.allocator = allocator;
    this.account = account;
    this.latestOrigin = Origin.NONE.chargedTo(account);
  }

  /**
   * {@return a budget without a parent}
   *
   * @param name the name in messages
   * @param allocator the allocator that requests go to
   * @param limitBytes the most bytes that may be charged; {@link Long#MAX_VALUE} for no limit
   * @throws IllegalArgumentException if {@code limitBytes < 0}
   */
  public static AllocationBudget root(String name, BfcAllocator allocator, long limitBytes) {
    return new AllocationBudget(
        allocator, MemoryAccount.root(name, allocator.space().member(), limitBytes));
  }

  /**
   * {@return a child of this budget}
   *
   * @param name the name in messages, which is appended to the path of this budget
   * @param childReservedBytes the bytes that are charged to this budget now and kept for the child
   * @param childLimitBytes the most bytes that may be charged to the child; {@link Long#MAX_VALUE}
   *     for as many as this budget has
   * @throws IllegalArgumentException unless {@code 0 <= childReservedBytes <= childLimitBytes}
   * @throws IllegalStateException if this budget is closed
   * @throws BfcOutOfMemoryException if the reservation exceeds the limit of this budget or of one
   *     above it
   */
  public AllocationBudget child(String name, long childReservedBytes, long childLimitBytes) {
    MemoryAccount child = account.newChild(name, childReservedBytes, childLimitBytes);
    Optional<Exhausted> exhausted = allocator.space().member().open(account, child);
    if (exhausted.isPresent()) {
      throw allocator
          .space()
          .budgetReached(exhausted.get(), child, childReservedBytes, childReservedBytes);
    }
    return new AllocationBudget(allocator, child);
  }

  /**
   * {@return the address of new bytes, which are charged to this budget until they are freed}
   *
   * @param bytes the number of bytes
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if the budget is closed
   * @throws BfcOutOfMemoryException if this budget, one above it, or the allocator has no room
   */
  public long allocate(long bytes) {
    return allocate(bytes, Quantum.BYTES);
  }

  /**
   * {@return the address of new bytes at a multiple of an alignment, which are charged to this
   * budget until they are freed}
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the budget is closed
   * @throws BfcOutOfMemoryException if this budget, one above it, or the allocator has no room
   */
  @Override
  public long allocate(long bytes, long alignment) {
    return allocator.allocate(bytes, alignment, allocator.space().placement(), origin());
  }

  /**
   * {@return the address of new bytes; empty if this budget, a budget above it, or the allocator
   * has no room}
   *
   * <p>The bytes are charged to this budget.
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the budget is closed
   */
  @Override
  public OptionalLong tryAllocate(long bytes, long alignment) {
    return allocator.tryAllocate(bytes, alignment, allocator.space().placement(), origin());
  }

  /**
   * {@return the address of new bytes, which are charged to this budget}
   *
   * <p>If this budget, a budget above it, or the allocator has no room, the request waits for
   * frees. It waits in the queue of {@link BfcAllocator#allocateOrWait(long, long, Duration)}. A
   * request that waits for a budget delays only later requests that would charge this budget, too.
   * A request for more than a limit fails at once. Nothing is charged during the wait.
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   * @param timeout the longest time to wait; if it is not positive, the method does not wait
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the budget or the allocator is closed, or is closed during the
   *     wait
   * @throws BfcOutOfMemoryException if there is no room when the timeout expires
   * @throws InterruptedException if the thread is interrupted while it waits; nothing is allocated
   */
  @Override
  public long allocateOrWait(long bytes, long alignment, Duration timeout)
      throws InterruptedException {
    return allocateOrWait(bytes, alignment, timeout, LockSupport::parkNanos);
  }

  @Override
  public long allocateOrWait(long bytes, long alignment, Duration timeout, LongConsumer pause)
      throws InterruptedException {
    GuardedSpace space = allocator.space();
    OptionalLong address =
        space.tryOrWait(bytes, alignment, space.placement(), timeout, origin(), pause);
    return address.isPresent() ? address.getAsLong() : allocate(bytes, alignment);
  }

  /**
   * Gives the chunk of an allocation to a new request, as {@link BfcAllocator#reuse}. The charge
   * for the earlier allocation ends, and the new one is charged to this budget.
   *
   * @param address an address that a method of this budget or its allocator has returned
   * @param bytes the bytes of the new request
   * @return false if this budget, or one above it, has no room; nothing changes
   * @throws IllegalArgumentException if {@code bytes < 1}, or the chunk has fewer; nothing changes
   * @throws IllegalStateException if no allocation in use starts at {@code address}, or the budget
   *     is closed; nothing changes
   */
  public boolean tryReuse(long address, long bytes) {
    return allocator.space().reuse(address, bytes, origin()).isEmpty();
  }

  /** {@return the origin of an allocation through this budget} */
  private Origin origin() {
    Origin asked = allocator.origin();
    Origin latest = latestOrigin;
    if (asked.stack().isEmpty() && asked.tag().equals(latest.tag())) {
      return latest;
    }
    Origin origin = asked.chargedTo(account);
    if (asked.stack().isEmpty()) {
      latestOrigin = origin;
    }
    return origin;
  }

  /** {@return the account, with its use and its limit; other bytes may be charged to it, too} */
  public MemoryAccount account() {
    return account;
  }

  /**
   * Releases the reservation; has no effect if the budget is closed.
   *
   * <p>If the allocator is closed first, the allocations that it still has are no longer charged.
   *
   * @throws IllegalStateException if allocations are still charged to this budget, or it has open
   *     children; the message names them, and nothing changes
   */
  @Override
  public void close() {
    Optional<String> obstacle = account.tryClose();
    allocator
        .space()
        .member()
        .serveAfter(account); // which reservations of this budget may have held up
    if (obstacle.isPresent()) {
      InUseReport leaks = allocator.inUse(account);
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "budget '%s' cannot be closed: %s%s",
              account.path(),
              obstacle.get(),
              leaks.isEmpty() ? "" : "\n" + leaks.details()));
    }
  }
}
