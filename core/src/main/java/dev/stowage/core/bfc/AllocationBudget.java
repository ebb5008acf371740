package dev.stowage.core.bfc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A share of an allocator's memory, with a limit and a reservation, and shares of its own.
 *
 * <p>What is allocated through a budget is charged to it and to those above it, up to the root; a
 * request that any of them cannot pay for fails without asking the allocator. A reservation is
 * charged to the budget above at once, so that its bytes cannot be spent by others. Budgets count
 * what a request is rounded up to; they hold no memory.
 *
 * {@snippet :
 * AllocationBudget gpu = AllocationBudget.root("gpu", allocator, 8L << 30);
 * try (AllocationBudget request = gpu.child("request 7", 64 << 20, 1 << 30)) {
 *   long address = request.allocate(1 << 20);
 *   allocator.free(address);
 * }
 * }
 *
 * <p>Safe for use by many threads; a request costs O(depth) more.
 *
 * <p>From Arrow's child allocators (Accountant).
 */
public final class AllocationBudget implements AutoCloseable {

  /*
   * used of a child   = what is charged to it and by its own children
   * used of a parent  = ... + for each child the larger of its reservation and its used
   *
   * All of a tree is guarded by its root. The allocator's lock may be held when the root is locked,
   * never the other way round.
   */

  private final String path;
  private final BfcAllocator allocator;
  private final Optional<AllocationBudget> parent;
  private final AllocationBudget root;
  private final long reservedBytes;
  private final long limitBytes;
  private long usedBytes;
  private long peakBytes;
  private int openChildren;
  private boolean closed;

  private AllocationBudget(
      String path,
      BfcAllocator allocator,
      Optional<AllocationBudget> parent,
      long reservedBytes,
      long limitBytes) {
    if (reservedBytes < 0 || limitBytes < reservedBytes) {
      throw new IllegalArgumentException(
          "budget '%s' needs 0 <= reservedBytes <= limitBytes: reservedBytes=%d, limitBytes=%d"
              .formatted(path, reservedBytes, limitBytes));
    }
    this.path = path;
    this.allocator = allocator;
    this.parent = parent;
    this.root = parent.isPresent() ? parent.get().root : this;
    this.reservedBytes = reservedBytes;
    this.limitBytes = limitBytes;
  }

  /**
   * {@return a budget above which there is none}
   *
   * @param name how messages call it
   * @param allocator where its memory comes from
   * @param limitBytes the most that may be charged to it; {@link Long#MAX_VALUE} for no limit
   * @throws IllegalArgumentException if {@code limitBytes < 0}
   */
  public static AllocationBudget root(String name, BfcAllocator allocator, long limitBytes) {
    return new AllocationBudget(name, allocator, Optional.empty(), 0, limitBytes);
  }

  /**
   * {@return a share of this budget}
   *
   * @param name how messages call it, after this one's
   * @param childReservedBytes what is charged to this budget at once, and kept for the share
   * @param childLimitBytes the most that may be charged to the share; {@link Long#MAX_VALUE} for as
   *     much as this one has
   * @throws IllegalArgumentException unless {@code 0 <= childReservedBytes <= childLimitBytes}
   * @throws IllegalStateException if this budget is closed
   * @throws BfcOutOfMemoryException if the reservation cannot be paid for
   */
  public AllocationBudget child(String name, long childReservedBytes, long childLimitBytes) {
    AllocationBudget child =
        new AllocationBudget(
            path + "/" + name, allocator, Optional.of(this), childReservedBytes, childLimitBytes);
    charge(childReservedBytes, childReservedBytes);
    synchronized (root) {
      openChildren++;
    }
    return child;
  }

  /**
   * {@return the address of fresh bytes, charged to this budget until they are freed}
   *
   * @param bytes how many bytes
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if the budget is closed
   * @throws BfcOutOfMemoryException if this budget, one above it, or the allocator has no room
   */
  public long allocate(long bytes) {
    return allocate(bytes, ChunkTable.QUANTUM_BYTES);
  }

  /**
   * {@return the address of fresh bytes at a multiple of an alignment, charged to this budget until
   * they are freed}
   *
   * @param bytes how many bytes
   * @param alignment a power of two; below 256 it is 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is no power of two
   * @throws IllegalStateException if the budget is closed
   * @throws BfcOutOfMemoryException if this budget, one above it, or the allocator has no room
   */
  public long allocate(long bytes, long alignment) {
    long charged = RegionSpace.roundedBytes(bytes);
    charge(charged, bytes);
    boolean allocated = false;
    try {
      long address = allocator.allocate(bytes, alignment, this);
      allocated = true;
      return address;
    } finally {
      if (!allocated) {
        release(charged);
      }
    }
  }

  /**
   * {@return the address of fresh bytes, charged to this budget, or empty if this budget, one above
   * it, or the allocator has no room}
   *
   * @param bytes how many bytes
   * @param alignment a power of two; below 256 it is 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is no power of two
   * @throws IllegalStateException if the budget is closed
   */
  public OptionalLong tryAllocate(long bytes, long alignment) {
    long charged = RegionSpace.roundedBytes(bytes);
    if (tryCharge(charged).isPresent()) {
      return OptionalLong.empty();
    }
    OptionalLong address = OptionalLong.empty();
    try {
      address = allocator.tryAllocate(bytes, alignment, this);
      return address;
    } finally {
      if (address.isEmpty()) {
        release(charged);
      }
    }
  }

  /**
   * Charges what is charged to this budget to another one, of this tree or not.
   *
   * @param address of an allocation through this budget
   * @param other a budget of the same allocator
   * @throws IllegalArgumentException if the other budget is of another allocator
   * @throws IllegalStateException if no allocation at {@code address} is charged to this budget, or
   *     the other one is closed
   * @throws BfcOutOfMemoryException if the other budget, or one above it, cannot pay for it;
   *     nothing changes then
   */
  public void transfer(long address, AllocationBudget other) {
    if (other.allocator != allocator) {
      throw new IllegalArgumentException(
          "budgets '%s' and '%s' are of different allocators".formatted(path, other.path));
    }
    long bytes = allocator.requestedBytes(address, this);
    long charged = RegionSpace.roundedBytes(bytes);
    other.charge(charged, bytes);
    boolean moved = false;
    try {
      allocator.changeBudget(address, this, other);
      moved = true;
    } finally {
      (moved ? this : other).release(charged);
    }
  }

  private void charge(long bytes, long requestedBytes) {
    Optional<AllocationBudget> exhausted = tryCharge(bytes);
    if (exhausted.isPresent()) {
      throw exhausted.get().outOfMemory(this, bytes, requestedBytes);
    }
  }

  /** Charges all or nothing and {@return the lowest budget that cannot pay} */
  private Optional<AllocationBudget> tryCharge(long bytes) {
    synchronized (root) {
      if (closed) {
        throw new IllegalStateException("budget '%s' is closed".formatted(path));
      }
      List<AllocationBudget> charged = new ArrayList<>();
      long left = bytes;
      Optional<AllocationBudget> level = Optional.of(this);
      while (level.isPresent()) {
        AllocationBudget budget = level.get();
        if (left > budget.limitBytes - budget.usedBytes) {
          return level;
        }
        charged.add(budget);
        left = budget.beyondReservation(left);
        level = budget.parent;
      }
      left = bytes;
      for (AllocationBudget budget : charged) {
        long beyond = budget.beyondReservation(left);
        budget.usedBytes += left;
        budget.peakBytes = Math.max(budget.peakBytes, budget.usedBytes);
        left = beyond;
      }
      return Optional.empty();
    }
  }

  /** {@return how much of a charge the budget above has to pay} */
  private long beyondReservation(long bytes) {
    return Math.max(reservedBytes, usedBytes + bytes) - Math.max(reservedBytes, usedBytes);
  }

  /** Takes a charge back. */
  void release(long bytes) {
    synchronized (root) {
      long left = bytes;
      Optional<AllocationBudget> level = Optional.of(this);
      while (level.isPresent()) {
        AllocationBudget budget = level.get();
        budget.usedBytes -= left;
        left = budget.beyondReservation(left);
        level = budget.parent;
      }
    }
  }

  private BfcOutOfMemoryException outOfMemory(
      AllocationBudget asked, long chargedBytes, long requestedBytes) {
    String message;
    synchronized (root) {
      message =
          "budget '%s' is reached: requested=%d, rounded=%d, used=%d, limit=%d. It would have passed with a limit higher by %d bytes"
              .formatted(
                  path,
                  requestedBytes,
                  chargedBytes,
                  usedBytes,
                  limitBytes,
                  chargedBytes - (limitBytes - usedBytes));
    }
    if (asked != this) {
      message += ", for budget '%s'".formatted(asked.path);
    }
    return new BfcOutOfMemoryException(
        message,
        OutOfMemoryVerdict.BUDGET_REACHED,
        requestedBytes,
        chargedBytes,
        allocator.report());
  }

  /** {@return the names from the root on, with slashes between} */
  public String path() {
    return path;
  }

  /** {@return what is charged to this budget, the reservations of its children included} */
  public long usedBytes() {
    synchronized (root) {
      return usedBytes;
    }
  }

  /** {@return the most that was charged at any time} */
  public long peakBytes() {
    synchronized (root) {
      return peakBytes;
    }
  }

  /** {@return what is kept for this budget, whether it is used or not} */
  public long reservedBytes() {
    return reservedBytes;
  }

  /** {@return the most that may be charged to this budget} */
  public long limitBytes() {
    return limitBytes;
  }

  /**
   * Gives the reservation back.
   *
   * @throws IllegalStateException if something is still charged to this budget, or it has open
   *     children; nothing changes then
   */
  @Override
  public void close() {
    long usedNow;
    int openNow;
    synchronized (root) {
      usedNow = usedBytes;
      openNow = openChildren;
      if (closed) {
        return;
      }
      if (usedNow == 0 && openNow == 0) {
        closed = true;
        parent.ifPresent(budget -> budget.forget(reservedBytes));
        return;
      }
    }
    throw new IllegalStateException(
        "budget '%s' is not closed: %d bytes are charged to it, and %d children are open. %s"
            .formatted(path, usedNow, openNow, allocator.leaks(this)));
  }

  private void forget(long childReservedBytes) {
    openChildren--;
    release(childReservedBytes);
  }
}
