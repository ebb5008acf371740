package dev.stowage.core.bfc;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
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
   */

  /** The longest timeout; a longer one is reduced to it. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(36_525);

  /** A request that waits. The allocator's lock guards all fields but the answer. */
  static final class Waiter {

    private final Thread thread = Thread.currentThread();
    private final long bytes;
    private final long alignment;
    private final Origin origin;
    private final long deadlineNanos;
    private volatile Optional<Supplier<OptionalLong>> answer = Optional.empty();

    Waiter(long bytes, long alignment, Origin origin, Duration timeout) {
      this.bytes = bytes;
      this.alignment = alignment;
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

    Origin origin() {
      return origin;
    }

    /** Waits without the lock for an answer, until the deadline or an interrupt. */
    void await() {
      long left = deadlineNanos - System.nanoTime();
      while (answer.isEmpty() && left > 0 && !thread.isInterrupted()) {
        LockSupport.parkNanos(this, left);
        left = deadlineNanos - System.nanoTime();
      }
    }

    /** {@return true if a lack of room for another request implies a lack of room for this one} */
    private boolean asksForAsMuchAs(Waiter other) {
      return bytes >= other.bytes && alignment >= other.alignment;
    }

    private void finish(Supplier<OptionalLong> given) {
      answer = Optional.of(given);
      LockSupport.unpark(thread);
    }
  }

  /** The source of answers. */
  interface Server {
    /** {@return the address of bytes for a request, or empty if there is no room} */
    OptionalLong take(Waiter waiter);

    /** {@return true if frees may make room for a request that has just failed} */
    boolean freesMayServe(Waiter waiter);
  }

  private final String allocator;
  private final Server server;

  /** In the order of their arrival. */
  private final Set<Waiter> waiters = new LinkedHashSet<>();

  /** True if a request blocks the queue. */
  private boolean isQueueBlocked;

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
    if (!isQueueBlocked) {
      OptionalLong address = server.take(waiter);
      if (address.isPresent()) {
        return address;
      }
      isQueueBlocked = server.freesMayServe(waiter);
    }
    waiters.add(waiter);
    return OptionalLong.empty();
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
                "interrupted while waiting for %d bytes of allocator '%s'",
                waiter.bytes(),
                allocator));
      }
      return server.take(waiter);
    } finally {
      // The request may have blocked the queue.
      serve();
    }
  }

  /** Answers requests in their order, up to the first one that blocks the queue. */
  void serve() {
    isQueueBlocked = false;
    Optional<Waiter> failed = Optional.empty();
    for (Iterator<Waiter> each = waiters.iterator(); each.hasNext() && !isQueueBlocked; ) {
      Waiter waiter = each.next();
      if (failed.filter(waiter::asksForAsMuchAs).isPresent()) {
        continue;
      }
      Optional<Supplier<OptionalLong>> answer = answer(waiter);
      if (answer.isPresent()) {
        each.remove();
        waiter.finish(answer.get());
      } else {
        isQueueBlocked = server.freesMayServe(waiter);
        failed = Optional.of(waiter);
      }
    }
  }

  private Optional<Supplier<OptionalLong>> answer(Waiter waiter) {
    try {
      OptionalLong address = server.take(waiter);
      return address.isPresent() ? Optional.of(() -> address) : Optional.empty();
    } catch (RuntimeException | Error e) {
      return Optional.of(() -> {
        throw e;
      });
    }
  }

  /** Ends the wait of some requests, which are then tried once more by their threads. */
  void dismissIf(Predicate<Waiter> isHopeless) {
    List<Waiter> hopeless = waiters.stream().filter(isHopeless).toList();
    hopeless.forEach(waiter -> {
      waiters.remove(waiter);
      waiter.finish(OptionalLong::empty);
    });
  }

  /** Gives all requests the same answer. */
  void dismiss(Supplier<OptionalLong> answer) {
    waiters.forEach(waiter -> waiter.finish(answer));
    waiters.clear();
    isQueueBlocked = false;
  }
}
