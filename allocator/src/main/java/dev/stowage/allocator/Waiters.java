package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The requests that wait for frees, in the order of their arrival. */
final class Waiters {

  /*
   * The thread that frees memory serves the waiting requests: still under the allocator's lock, it
   * allocates for the first ones, and then wakes their threads. So no waiting request overtakes
   * another one, no free is lost between a failed attempt and the sleep after it, and no thread is
   * woken in vain.
   *
   * A request is answered once, under the lock. The answer is an address and not a slot: when the
   * thread runs again, the allocator may be closed and its slots reused. If serving a request
   * throws, the thread of the request gets the exception, not the thread that freed memory.
   *
   * The first request for which frees may make room blocks the queue: no request after it is tried.
   * If frees cannot make room for a request, because no region is long enough and only the device
   * can provide a longer one, the request is tried each time but does not block the queue.
   * Otherwise, a request that is never answered would hold up all others. So a request waits only
   * for earlier requests that frees may serve. A request that does not block the queue may time out
   * while later ones are answered.
   *
   * A request for which a budget has too little left does not block the queue, either. It holds up
   * only later requests of the same budget, and those that would charge the exhausted account.
   */

  /** The longest timeout; a longer one is reduced to it. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(36_525);

  /** A request that waits. The allocator's lock guards all fields but the answer. */
  static final class Waiter {

    private final Thread thread = Thread.currentThread();
    private final long bytes;
    private final long alignment;
    private final PlacementRule placement;
    private final Origin origin;
    private final long deadlineNanos;
    private volatile Optional<Supplier<OptionalLong>> answer = Optional.empty();

    Waiter(long bytes, long alignment, PlacementRule placement, Origin origin, Duration timeout) {
      this.bytes = bytes;
      this.alignment = alignment;
      this.placement = placement;
      this.origin = origin;
      this.deadlineNanos = System.nanoTime() + nanos(timeout);
    }

    private static long nanos(Duration timeout) {
      if (!timeout.isPositive()) {
        return 0;
      }
      return (timeout.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : timeout).toNanos();
    }

    long bytes() {
      return bytes;
    }

    long alignment() {
      return alignment;
    }

    PlacementRule placement() {
      return placement;
    }

    Origin origin() {
      return origin;
    }

    /**
     * Waits without the lock for an answer, until the deadline or an interrupt.
     *
     * @param pause waits for at most as many nanoseconds as it gets, or until the thread is
     *     unparked
     */
    void await(LongConsumer pause) {
      long left = deadlineNanos - System.nanoTime();
      while (answer.isEmpty() && left > 0 && !thread.isInterrupted()) {
        pause.accept(left);
        left = deadlineNanos - System.nanoTime();
      }
    }

    private boolean isHeldUp(Set<BudgetAccount> waiting, Set<BudgetAccount> exhausted) {
      Optional<BudgetAccount> account = origin.account();
      return account.isPresent()
          && (waiting.contains(account.get())
              || account.get().reaches(exhausted, Quantum.roundedBytes(bytes)));
    }

    /** {@return true if a lack of room for another request implies a lack of room for this one} */
    private boolean needsAtLeast(Waiter other) {
      return placement.equals(other.placement)
          && bytes >= other.bytes
          && alignment >= other.alignment;
    }

    private void finish(Supplier<OptionalLong> given) {
      answer = Optional.of(given);
      LockSupport.unpark(thread);
    }
  }

  /**
   * An attempt to serve a request.
   *
   * @param address the address of new bytes; empty if there is no room
   * @param exhausted the account that has too little left for the request
   */
  record Attempt(OptionalLong address, Optional<BudgetAccount> exhausted) {}

  /** The source of answers. */
  interface Server {
    /** {@return the result of an attempt to serve a request} */
    Attempt take(Waiter waiter);

    /** {@return true if frees may make room for a request that has just failed} */
    boolean freesMayServe(Waiter waiter);
  }

  private final String allocator;
  private final Server server;

  /** In the order of their arrival. */
  private final Set<Waiter> waiters = new LinkedHashSet<>();

  /** True if a request blocks the queue. */
  private boolean isQueueBlocked;

  /** The accounts of requests that wait for a budget; later requests of these are not tried. */
  private final Set<BudgetAccount> waitingAccounts = new HashSet<>();

  /** The accounts that have too little left for a request. */
  private final Set<BudgetAccount> exhaustedAccounts = new HashSet<>();

  Waiters(String allocator, Server server) {
    this.allocator = allocator;
    this.server = server;
  }

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  int count() {
    return waiters.size();
  }

  /** {@return the address for a new request, or empty if it waits now} */
  OptionalLong tryOrAdd(Waiter waiter) {
    if (!isQueueBlocked && !isHeldUp(waiter)) {
      Attempt attempt = server.take(waiter);
      if (attempt.address().isPresent()) {
        return attempt.address();
      }
      noteFailed(waiter, attempt);
    }
    waiters.add(waiter);
    return OptionalLong.empty();
  }

  /** {@return true if an earlier request waits for a budget that this one needs, too} */
  private boolean isHeldUp(Waiter waiter) {
    boolean isHeldUp = waiter.isHeldUp(waitingAccounts, exhaustedAccounts);
    if (isHeldUp) {
      waitingAccounts.add(waiter.origin().account().orElseThrow());
    }
    return isHeldUp;
  }

  private void noteFailed(Waiter waiter, Attempt attempt) {
    if (attempt.exhausted().isPresent()) {
      exhaustedAccounts.add(attempt.exhausted().get());
      waitingAccounts.add(waiter.origin().account().orElseThrow());
    } else {
      isQueueBlocked = server.freesMayServe(waiter);
    }
  }

  /**
   * Ends the wait of a request and {@return its address, or empty if there is no room or the limit
   * is now too low}
   *
   * <p>If the request has no answer, it is tried once more, unless its thread is interrupted.
   *
   * @throws InterruptedException if the request has no answer and its thread is interrupted
   */
  OptionalLong end(Waiter waiter) throws InterruptedException {
    if (waiter.answer.isPresent()) {
      return waiter.answer.get().get();
    }
    waiters.remove(waiter);
    try {
      if (Thread.interrupted()) {
        throw new InterruptedException(
            String.format(
                Locale.ROOT,
                "interrupted while waiting for %s of allocator '%s'",
                ByteCount.exact(waiter.bytes()),
                allocator));
      }
      return server.take(waiter).address();
    } finally {
      // The request may have blocked the queue.
      serve();
    }
  }

  /** Answers requests in their order, up to the first one that blocks the queue. */
  void serve() {
    unblock();
    Optional<Waiter> failed = Optional.empty();
    for (Iterator<Waiter> each = waiters.iterator(); each.hasNext() && !isQueueBlocked; ) {
      Waiter waiter = each.next();
      if (failed.filter(waiter::needsAtLeast).isPresent() || isHeldUp(waiter)) {
        continue;
      }
      try {
        Attempt attempt = server.take(waiter);
        if (attempt.address().isPresent()) {
          each.remove();
          waiter.finish(attempt::address);
        } else {
          noteFailed(waiter, attempt);
          failed = attempt.exhausted().isPresent() ? failed : Optional.of(waiter);
        }
      } catch (RuntimeException | Error e) {
        each.remove();
        waiter.finish(() -> {
          throw e;
        });
      }
    }
  }

  private void unblock() {
    isQueueBlocked = false;
    waitingAccounts.clear();
    exhaustedAccounts.clear();
  }

  /**
   * Removes a request whose thread no longer waits for the answer and {@return the address that was
   * given to it, if there is one}
   */
  OptionalLong withdraw(Waiter waiter) {
    if (waiters.remove(waiter)) {
      serve();
      return OptionalLong.empty();
    }
    return waiter.answer.isPresent() ? waiter.answer.get().get() : OptionalLong.empty();
  }

  /** Ends the wait of some requests, which are then tried once more by their threads. */
  void dismissIf(Predicate<Waiter> isHopeless) {
    List<Waiter> hopeless = waiters.stream().filter(isHopeless).toList();
    hopeless.forEach(waiter -> {
      waiters.remove(waiter);
      waiter.finish(OptionalLong::empty);
    });
    if (waiters.isEmpty()) { // there is nothing to serve, so that nothing else ends the block
      unblock();
    }
  }

  /** Gives all requests the same answer. */
  void dismiss(Supplier<OptionalLong> answer) {
    waiters.forEach(waiter -> waiter.finish(answer));
    waiters.clear();
    unblock();
  }
}
