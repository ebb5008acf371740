package dev.stowage.memory.pool;

import dev.stowage.core.slab.AllocationGroup;
import dev.stowage.core.slab.SlabAllocator;
import dev.stowage.memory.lifetime.Deadline;
import dev.stowage.memory.lifetime.Failures;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The end of a pool. Safe for use by many threads. */
final class PoolClosing {

  /*
   * A thread that closes the pool holds all open arenas, so that no other thread allocates in them or
   * closes them. It never waits for an arena or for another thread that closes the pool: if it cannot
   * hold one of them at once, nothing changes. Only `closeWithin` tries again until its time is over,
   * and holds no arena between two attempts.
   *
   * A thread may close its arena and end while the arena is about to be held. So only the arenas that
   * are registered when new ones are rejected count. Each of these is held: it belongs to this thread,
   * to a thread that ended before, or to all threads.
   */

  private static final System.Logger LOGGER = System.getLogger("dev.stowage.memory");

  /** The time between two attempts. */
  private static final long TURN_NANOS = 1_000_000;

  private final PoolArenas arenas;
  private final PoolChunks chunks;
  private final SlabAllocator slabs;

  /** Held by the thread that closes the pool. */
  private final ReentrantLock lock = new ReentrantLock();

  /** The thread that holds the lock, for messages. */
  private volatile Optional<Thread> closer = Optional.empty();

  /** True while a thread waits in {@link #closeWithin}. */
  private volatile boolean isWaiting;

  /** True if all arenas have ended; false while the pool is closing. */
  private volatile boolean emptied;

  PoolClosing(PoolArenas arenas, PoolChunks chunks) {
    this.arenas = arenas;
    this.chunks = chunks;
    this.slabs = chunks.slabs();
  }

  /** {@return true if all arenas have ended} */
  boolean isEmptied() {
    return emptied;
  }

  /** Rejects new arenas if the pool is closed, or if a thread waits to close it. */
  void checkOpen() {
    if (slabs.isClosed()) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "pool '%s' is closed", chunks.poolName()));
    }
    if (isWaiting) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' is being closed by thread '%s', which waits for open arenas",
              chunks.poolName(),
              closerName()));
    }
  }

  private String closerName() {
    return closer.map(Thread::getName).orElse("");
  }

  /** Ends all arenas and returns the regions, as {@link MemoryPool#close()}. */
  void close() {
    enter();
    try {
      Optional<IllegalStateException> obstacle = tryClose(PoolOwner::isOfAnotherThread);
      if (obstacle.isPresent()) {
        throw obstacle.get();
      }
    } finally {
      leave();
    }
  }

  /** Waits for arenas, and then closes the pool, as {@link MemoryPool#closeWithin}. */
  CloseResult closeWithin(Duration timeout) throws InterruptedException {
    Deadline deadline = Deadline.in(timeout);
    enter();
    try {
      isWaiting = true;
      Optional<IllegalStateException> obstacle = tryClose(PoolOwner::isAwaited);
      while (obstacle.isPresent() && !deadline.isOver()) {
        deadline.pause(
            TURN_NANOS, () -> "waiting for the arenas of pool '" + chunks.poolName() + "'");
        obstacle = tryClose(PoolOwner::isAwaited);
      }
      return new CloseResult(obstacle.map(PoolClosing::message));
    } finally {
      isWaiting = false;
      leave();
    }
  }

  private static String message(IllegalStateException obstacle) {
    return String.valueOf(obstacle.getMessage());
  }

  private void enter() {
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
              closerName()));
    }
    closer = Optional.of(Thread.currentThread());
  }

  private void leave() {
    closer = Optional.empty();
    lock.unlock();
  }

  /**
   * Closes the pool, or {@return the reason why it cannot, and nothing changes}
   *
   * @param isOfOthers finds the arenas that other threads must close first
   */
  private Optional<IllegalStateException> tryClose(Predicate<PoolOwner> isOfOthers) {
    if (emptied) {
      chunks.allocator().close(); // which may have regions that the system did not take back
      return Optional.empty();
    }
    Set<PoolOwner> held = new LinkedHashSet<>();
    try {
      Set<AllocationGroup> registered = new HashSet<>();
      Optional<IllegalStateException> obstacle = holdAll(held, registered, isOfOthers);
      return obstacle.isPresent()
          ? obstacle
          : endAll(held.stream().filter(registered::contains).toList());
    } finally {
      held.forEach(PoolOwner::letGo);
    }
  }

  /**
   * Holds all open arenas and rejects new ones, or {@return the reason why it cannot}
   *
   * @param registered gets the arenas that are open when new ones are rejected
   */
  private Optional<IllegalStateException> holdAll(
      Set<PoolOwner> held, Set<AllocationGroup> registered, Predicate<PoolOwner> isOfOthers) {
    do { // other threads may open arenas meanwhile
      List<PoolOwner> open = arenas.open();
      List<PoolOwner> others = open.stream().filter(isOfOthers).toList();
      if (!others.isEmpty()) {
        return Optional.of(ofOthers(others));
      }
      List<PoolOwner> inUse =
          Stream.concat(Stream.<PoolOwner>of(arenas.lasting()), open.stream())
              .filter(arena -> !held.contains(arena) && !hold(arena, held))
              .toList();
      if (!inUse.isEmpty()) {
        return Optional.of(inUse(inUse));
      }
    } while (!slabs.closeIf(open -> held.containsAll(open) && registered.addAll(open)));
    return Optional.empty();
  }

  private static boolean hold(PoolOwner arena, Set<PoolOwner> held) {
    return arena.tryHold() && held.add(arena);
  }

  private IllegalStateException ofOthers(List<PoolOwner> others) {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "pool '%s' cannot be closed by thread '%s': %s; close it there first",
            chunks.poolName(),
            Thread.currentThread().getName(),
            PoolArenas.describe(others)));
  }

  private IllegalStateException inUse(List<PoolOwner> owners) {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "pool '%s' cannot be closed: %s is in use by a native call, another thread or its own closing",
            chunks.poolName(),
            PoolArenas.describe(owners)));
  }

  /** Ends all segments and frees the memory, or {@return the reason why a segment cannot end} */
  private Optional<IllegalStateException> endAll(List<PoolOwner> all) {
    Failures failures = new Failures();
    boolean isEnded = false;
    try {
      chunks.freed().ifPresent(FreedMemory::checkAll);
      chunks.freed().ifPresent(FreedMemory::throwFindings);
      all.forEach(arena -> failures.attempt(arena::endSegments));
      List<PoolOwner> left = all.stream().filter(arena -> !arena.hasEnded()).toList();
      if (!left.isEmpty()) {
        IllegalStateException obstacle = inUse(left);
        failures.suppressIn(obstacle);
        return Optional.of(obstacle);
      }
      isEnded = true;
    } finally {
      if (!isEnded) {
        slabs.reopen();
      }
    }
    if (!arenas.open().isEmpty()) {
      LOGGER.log(System.Logger.Level.WARNING, arenas::describeLeaks);
    }
    all.forEach(arena -> failures.attempt(arena::freeMemory));
    emptied = true;
    failures.attempt(slabs::returnEmptySlabs);
    failures.attempt(chunks.allocator()::close);
    chunks.freed().ifPresent(PoolClosing::logFindings);
    failures.throwFirst();
    return Optional.empty();
  }

  /** Logs writes that happened while the pool was closed. */
  private static void logFindings(FreedMemory watch) {
    try {
      watch.throwFindings();
    } catch (IllegalStateException written) {
      LOGGER.log(System.Logger.Level.ERROR, written.getMessage());
    }
  }
}
