package dev.stowage.memory.pool;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.internal.Failures;
import dev.stowage.memory.lifetime.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The end of a pool and of its private pools. Safe for use by many threads. */
final class PoolClosing {

  /*
   * A thread that closes a pool first takes the locks of the pool and its private pools, so that no
   * other thread closes one of them or opens a further one. Then it holds all open arenas, so that
   * no other thread allocates in them or closes them. The thread never waits for a lock or an
   * arena: if it cannot get one of them at once, nothing changes. Only `closeWithin` tries again
   * until its time is over, and holds no arena between two attempts.
   *
   * The slab allocator rejects new arenas during each attempt, and stays closed after a successful
   * one. So a closed slab allocator does not mean that the pool is closed.
   */

  /** The time between two attempts. */
  private static final long TURN_NANOS = 1_000_000;

  private final PoolArenas arenas;
  private final PoolChunks chunks;
  private final PoolEntrance entrance;

  /** The private pools; guarded by itself. A thread that holds its lock waits for no other one. */
  private final List<PoolClosing> privatePools = new ArrayList<>();

  /** Held by the thread that closes the pool. */
  private final ReentrantLock lock = new ReentrantLock();

  PoolClosing(PoolArenas arenas) {
    this.arenas = arenas;
    this.chunks = arenas.chunks();
    this.entrance = arenas.entrance();
  }

  PoolArenas arenas() {
    return arenas;
  }

  // Private pools.

  /**
   * {@return a new private pool, which this one closes, too}
   *
   * @param opening opens the private pool of an allocator
   */
  PoolClosing openPrivatePool(UnaryOperator<BfcAllocator> opening) {
    entrance.checkOpen();
    PoolClosing pool = new PoolClosing(new PoolArenas(chunks.openPrivatePool(opening)));
    if (!tryAdd(pool)) {
      pool.close();
      entrance.checkOpen();
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' cannot be opened while thread '%s' closes pool '%s'",
              pool.chunks.poolName(),
              entrance.closerName(),
              chunks.poolName()));
    }
    return pool;
  }

  private boolean tryAdd(PoolClosing pool) {
    synchronized (privatePools) {
      boolean isAdded = !entrance.isClosing() && !entrance.isClosed();
      if (isAdded) {
        privatePools.removeIf(each -> each.entrance.isClosed());
        privatePools.add(pool);
      }
      return isAdded;
    }
  }

  /** {@return the private pools that are not closed} */
  private List<PoolClosing> privatePools() {
    synchronized (privatePools) {
      privatePools.removeIf(pool -> pool.entrance.isClosed());
      return List.copyOf(privatePools);
    }
  }

  // Closing.

  /** Ends all arenas and returns the regions, as {@link MemoryPool#close()}. */
  void close() {
    List<PoolClosing> family = enter();
    try {
      Optional<IllegalStateException> obstacle = tryClose(family, PoolOwner::isOfAnotherThread);
      if (obstacle.isPresent()) {
        throw obstacle.get();
      }
    } finally {
      leave(family);
    }
  }

  /** Waits for arenas, and then closes the pool, as {@link MemoryPool#closeWithin}. */
  CloseResult closeWithin(Duration timeout) throws InterruptedException {
    Deadline deadline = Deadline.in(timeout);
    List<PoolClosing> family = enter();
    try {
      family.forEach(pool -> pool.entrance.setWaiting(true));
      Optional<IllegalStateException> obstacle = tryClose(family, PoolOwner::isAwaited);
      while (obstacle.isPresent() && !deadline.isOver()) {
        deadline.pause(
            TURN_NANOS, () -> "waiting for the arenas of pool '" + chunks.poolName() + "'");
        obstacle = tryClose(family, PoolOwner::isAwaited);
      }
      return new CloseResult(obstacle.map(PoolClosing::message));
    } finally {
      family.forEach(pool -> pool.entrance.setWaiting(false));
      leave(family);
    }
  }

  private static String message(IllegalStateException obstacle) {
    return String.valueOf(obstacle.getMessage());
  }

  /** Locks this pool and its private pools and {@return them}, or locks none and throws. */
  private List<PoolClosing> enter() {
    List<PoolClosing> entered = new ArrayList<>();
    boolean isDone = false;
    try {
      enterAll(entered);
      isDone = true;
      return entered;
    } finally {
      if (!isDone) {
        leave(entered);
      }
    }
  }

  private void enterAll(List<PoolClosing> entered) {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' cannot be closed: this thread is already closing it; return from that call first",
              chunks.poolName()));
    }
    if (!lock.tryLock()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' cannot be closed by thread '%s': thread '%s' is closing it",
              chunks.poolName(),
              Thread.currentThread().getName(),
              entrance.closerName()));
    }
    entered.add(this);
    entrance.setCloser(Optional.of(Thread.currentThread()));
    privatePools().forEach(pool -> pool.enterAll(entered));
  }

  private static void leave(List<PoolClosing> entered) {
    for (PoolClosing pool : entered) {
      pool.entrance.setCloser(Optional.empty());
      pool.lock.unlock();
    }
  }

  /**
   * Closes the pool and its private pools, or {@return the reason why it cannot, and nothing
   * changes}
   *
   * @param family this pool, and then its private pools
   * @param isOfOthers finds the arenas that other threads must close first
   */
  private Optional<IllegalStateException> tryClose(
      List<PoolClosing> family, Predicate<PoolOwner> isOfOthers) {
    if (entrance.isClosed()) {
      chunks.allocator().close(); // the system may not have taken all regions back
      return Optional.empty();
    }
    List<HeldArenas> all =
        family.stream()
            .filter(pool -> !pool.entrance.isClosed()) // by another thread, before it was locked
            .map(pool -> new HeldArenas(pool.arenas))
            .toList();
    boolean isEnded = false;
    Failures failures = new Failures();
    try {
      Optional<IllegalStateException> obstacle = holdAll(all, isOfOthers);
      if (obstacle.isEmpty()) {
        obstacle = endSegments(all, failures);
      }
      isEnded = obstacle.isEmpty();
      if (isEnded) {
        freeAll(family, all, failures);
      }
      return obstacle;
    } finally {
      if (!isEnded) {
        all.forEach(HeldArenas::reopen);
      }
      all.forEach(HeldArenas::endHold);
    }
  }

  private static Optional<IllegalStateException> holdAll(
      List<HeldArenas> all, Predicate<PoolOwner> isOfOthers) {
    for (HeldArenas each : all) {
      Optional<IllegalStateException> obstacle = each.hold(isOfOthers);
      if (obstacle.isPresent()) {
        return obstacle;
      }
    }
    return Optional.empty();
  }

  /** Ends all segments, or {@return the reason why one cannot end} */
  private static Optional<IllegalStateException> endSegments(
      List<HeldArenas> all, Failures failures) {
    all.forEach(HeldArenas::checkFreed);
    all.forEach(each -> each.endSegments(failures));
    Optional<IllegalStateException> obstacle =
        all.stream().flatMap(each -> each.firstNotEnded().stream()).findFirst();
    obstacle.ifPresent(failures::suppressIn);
    return obstacle;
  }

  private void freeAll(List<PoolClosing> family, List<HeldArenas> all, Failures failures) {
    all.forEach(each -> each.free(failures));
    family.forEach(pool -> pool.chunks.slabs().close());
    failures.attempt(chunks.allocator()::close); // also closes the allocators of private pools
    all.forEach(HeldArenas::endChecks);
    failures.throwFirst();
  }

  /** Checks the invariants of this pool and of its private pools, while no thread uses them. */
  void checkInvariants() {
    arenas.checkInvariants();
    privatePools().forEach(PoolClosing::checkInvariants);
  }
}
