package dev.stowage.core.bfc;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
   * What is used is kept once, at every level:
   *
   *   used = what is charged here + for each child the larger of its reservation and its used
   *
   * So a charge goes up from where it is made, less at each level by what the reservation there has
   * left. Nothing changes before every level has agreed.
   *
   * A tree is guarded by its root. The allocator's lock may be held when a root is locked, never the
   * other way round, and never two roots.
   */

  private static final int CHILDREN_SHOWN = 3;

  private final String path;
  private final BfcAllocator allocator;
  private final Optional<AllocationBudget> parent;
  private final AllocationBudget root;
  private final long reservedBytes;
  private final long limitBytes;

  /** In the order in which they were opened. */
  private final Set<AllocationBudget> openChildren = new LinkedHashSet<>();

  private long usedBytes;
  private long peakBytes;
  private boolean closed;

  /** Of the latest allocation: most bear the tag of the one before, and share it. */
  private volatile Origin latestOrigin;

  private AllocationBudget(
      String path,
      BfcAllocator allocator,
      Optional<AllocationBudget> parent,
      long reservedBytes,
      long limitBytes) {
    if (reservedBytes < 0 || limitBytes < reservedBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "budget '%s' needs 0 <= reservedBytes <= limitBytes: reservedBytes=%d, limitBytes=%d",
              path,
              reservedBytes,
              limitBytes));
    }
    this.path = path;
    this.allocator = allocator;
    this.parent = parent;
    this.root = parent.isPresent() ? parent.get().root : this;
    this.reservedBytes = reservedBytes;
    this.limitBytes = limitBytes;
    this.latestOrigin = Origin.of("").withBudget(this);
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
    Optional<Exhausted> exhausted;
    synchronized (root) {
      exhausted = tryCharge(childReservedBytes);
      if (exhausted.isEmpty()) {
        openChildren.add(child);
        notePeaks();
      }
    }
    if (exhausted.isPresent()) {
      throw exhausted.get().outOfMemory(child, childReservedBytes, childReservedBytes);
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
    BfcAllocator.checkArguments(bytes, alignment);
    long charged = RegionSpace.roundedBytes(bytes);
    Optional<Exhausted> exhausted = tryCharge(charged);
    if (exhausted.isPresent()) {
      throw exhausted.get().outOfMemory(this, charged, bytes);
    }
    boolean allocated = false;
    try {
      long address = allocator.allocate(bytes, alignment, this);
      allocated = true;
      return address;
    } finally {
      settle(charged, allocated);
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
    BfcAllocator.checkArguments(bytes, alignment);
    long charged = RegionSpace.roundedBytes(bytes);
    if (tryCharge(charged).isPresent()) {
      allocator.budgetRefused(bytes);
      return OptionalLong.empty();
    }
    OptionalLong address = OptionalLong.empty();
    try {
      address = allocator.tryAllocate(bytes, alignment, this);
      return address;
    } finally {
      settle(charged, address.isPresent());
    }
  }

  /**
   * Charges what is charged to this budget to another one, of this tree or not.
   *
   * <p>Budgets above both are charged for it once, so that a transfer within a tree is not refused
   * by them.
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
          String.format(
              Locale.ROOT, "budgets '%s' and '%s' are of different allocators", path, other.path));
    }
    Optional<Refusal> refusal = allocator.changeBudget(address, this, other);
    if (refusal.isPresent()) {
      long bytes = refusal.get().requestedBytes();
      throw refusal.get().exhausted().outOfMemory(other, RegionSpace.roundedBytes(bytes), bytes);
    }
  }

  /**
   * A transfer that cannot be paid for.
   *
   * @param exhausted by whom
   * @param requestedBytes what was asked for when it was allocated
   */
  record Refusal(Exhausted exhausted, long requestedBytes) {}

  /** Charges to another budget what is charged to this one, or {@return who cannot pay} */
  Optional<Exhausted> move(long bytes, AllocationBudget other) {
    if (other.root != root) {
      Optional<Exhausted> exhausted = other.tryCharge(bytes);
      if (exhausted.isEmpty()) {
        other.settle(bytes, true);
        release(bytes);
      }
      return exhausted;
    }
    synchronized (root) {
      other.checkOpen();
      release(bytes);
      Optional<Exhausted> exhausted = other.tryCharge(bytes);
      if (exhausted.isPresent()) {
        add(bytes);
      } else {
        other.notePeaks();
      }
      return exhausted;
    }
  }

  /** {@return where an allocation through this budget comes from} */
  Origin origin(Origin asked) {
    Origin latest = latestOrigin;
    if (asked.stack().isEmpty() && asked.tag().equals(latest.tag())) {
      return latest;
    }
    Origin origin = asked.withBudget(this);
    if (asked.stack().isEmpty()) {
      latestOrigin = origin;
    }
    return origin;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(String.format(Locale.ROOT, "budget '%s' is closed", path));
    }
  }

  /** Charges all or nothing and {@return the lowest budget that cannot pay} */
  private Optional<Exhausted> tryCharge(long bytes) {
    synchronized (root) {
      checkOpen();
      Optional<Exhausted> exhausted = exhaustedBy(bytes);
      if (exhausted.isEmpty()) {
        add(bytes);
      }
      return exhausted;
    }
  }

  private Optional<Exhausted> exhaustedBy(long bytes) {
    if (bytes > limitBytes - usedBytes) {
      return Optional.of(new Exhausted(this, bytes, usedBytes));
    }
    return parent.isPresent()
        ? parent.get().exhaustedBy(beyondReservation(bytes))
        : Optional.empty();
  }

  private void add(long bytes) {
    long beyond = beyondReservation(bytes);
    usedBytes += bytes;
    if (parent.isPresent()) {
      parent.get().add(beyond);
    }
  }

  private void subtract(long bytes) {
    usedBytes -= bytes;
    if (parent.isPresent()) {
      parent.get().subtract(beyondReservation(bytes));
    }
  }

  /** {@return how much of a charge the budget above has to pay} */
  private long beyondReservation(long bytes) {
    return Math.max(reservedBytes, usedBytes + bytes) - Math.max(reservedBytes, usedBytes);
  }

  /** Takes a charge back. */
  void release(long bytes) {
    synchronized (root) {
      subtract(bytes);
    }
  }

  /** Keeps a charge, or takes it back. */
  private void settle(long bytes, boolean kept) {
    if (kept) {
      notePeaks();
    } else {
      release(bytes);
    }
  }

  /** Not before there is an allocation: one that failed would leave a peak that never was. */
  private void notePeaks() {
    synchronized (root) {
      notePeak();
    }
  }

  private void notePeak() {
    peakBytes = Math.max(peakBytes, usedBytes);
    if (parent.isPresent()) {
      parent.get().notePeak();
    }
  }

  /**
   * A budget that cannot pay.
   *
   * @param budget which one
   * @param chargedBytes what it would have to pay
   * @param usedBytes what was charged to it then
   */
  record Exhausted(AllocationBudget budget, long chargedBytes, long usedBytes) {

    /** {@return the failure of what was asked for through a budget: this one, or one below it} */
    BfcOutOfMemoryException outOfMemory(
        AllocationBudget asked, long roundedBytes, long requestedBytes) {
      String forWhom =
          asked == budget ? "" : String.format(Locale.ROOT, ", for budget '%s'", asked.path);
      long lackingBytes = chargedBytes - (budget.limitBytes - usedBytes);
      return budget.allocator.budgetReached(
          String.format(
              Locale.ROOT,
              "budget '%s' is reached%s: requested=%d, rounded=%d, charged=%d, used=%d, limit=%d. Its limit is %d bytes too low",
              budget.path,
              forWhom,
              requestedBytes,
              roundedBytes,
              chargedBytes,
              usedBytes,
              budget.limitBytes,
              lackingBytes),
          requestedBytes,
          roundedBytes);
    }
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

  /** {@return the most that was charged at any time, requests that failed left out} */
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
   * <p>What an allocator still holds when it is closed is charged to nobody any more.
   *
   * @throws IllegalStateException if something is still charged to this budget, or it has open
   *     children; the message names what, and nothing changes
   */
  @Override
  public void close() {
    String what;
    synchronized (root) {
      if (closed) {
        return;
      }
      if (usedBytes == 0 && openChildren.isEmpty()) {
        closed = true;
        parent.ifPresent(budget -> budget.forget(this));
        return;
      }
      what =
          Stream.of(describeUsed(), describeChildren())
              .filter(text -> !text.isEmpty())
              .collect(Collectors.joining(", and "));
    }
    LeakReport leaks = allocator.leaks(this);
    throw new IllegalStateException(
        String.format(
            Locale.ROOT,
            "budget '%s' cannot be closed: %s%s",
            path,
            what,
            leaks.isEmpty() ? "" : "\n" + leaks.details()));
  }

  private void forget(AllocationBudget child) {
    openChildren.remove(child);
    release(child.reservedBytes);
  }

  private String describeUsed() {
    return usedBytes == 0
        ? ""
        : String.format(Locale.ROOT, "%d bytes are charged to it", usedBytes);
  }

  private String describeChildren() {
    if (openChildren.isEmpty()) {
      return "";
    }
    String names =
        openChildren.stream()
            .limit(CHILDREN_SHOWN)
            .map(child -> "'" + child.path + "'")
            .collect(Collectors.joining(", "));
    int others = openChildren.size() - CHILDREN_SHOWN;
    return String.format(
        Locale.ROOT,
        "%d %s open: %s%s",
        openChildren.size(),
        openChildren.size() == 1 ? "child is" : "children are",
        names,
        others > 0 ? String.format(Locale.ROOT, " and %d more", others) : "");
  }

  /** {@return whether this is a budget, or one below it} */
  boolean isWithin(AllocationBudget budget) {
    return this == budget || parent.filter(above -> above.isWithin(budget)).isPresent();
  }
}
