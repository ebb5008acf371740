package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
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
   * If a budget has too few bytes left for a request, the request does not block the queue, either.
   * It holds up only later requests of the same budget, and requests that would charge the
   * exhausted account.
   *
   * Requests that another request holds up stand in a line. A free tries only the first one of a
   * line:
   *
   *   active                   the requests that are tried, up to the block
   *   the line of an account   requests for more than it has left, and requests behind them
   *   the line of a request    equal requests after an active one that does not block the queue
   *
   * An account holds up all requests that certainly charge it: the requests of accounts below it, if
   * no account between has a reservation. The first one becomes active when the account has more left,
   * and the next one when the first one leaves the line for another reason.
   */

  /** A request that waits. The allocator's lock guards all fields. */
  static final class Waiter extends Wait<Supplier<OptionalLong>> {

    private final long bytes;
    private final long alignment;
    private final PlacementRule placement;
    private final Origin origin;

    /** The number of the request in the order of their arrival. */
    private long number;

    /** The line in which the request stands or, if it is active, the one behind it. */
    private Line line = new Line(Optional.empty());

    Waiter(long bytes, long alignment, PlacementRule placement, Origin origin, Duration timeout) {
      super(timeout);
      this.bytes = bytes;
      this.alignment = alignment;
      this.placement = placement;
      this.origin = origin;
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

    /** {@return true if a lack of room for another request implies a lack of room for this one} */
    private boolean needsAtLeast(Waiter other) {
      return placement.equals(other.placement)
          && bytes >= other.bytes
          && alignment >= other.alignment;
    }

    private boolean isEqualTo(Waiter other) {
      return needsAtLeast(other)
          && other.needsAtLeast(this)
          && origin.account().equals(other.origin.account());
    }
  }

  /** Requests that are held up: by an account, or by an equal request. */
  private static final class Line {

    private final NavigableSet<Waiter> held = queue();
    private final Optional<MemoryAccount> account;

    Line(Optional<MemoryAccount> account) {
      this.account = account;
    }
  }

  /**
   * An attempt to serve a request.
   *
   * @param address the address of new bytes; empty if there is no room
   * @param exhausted the account that has too little left for the request
   */
  record Attempt(OptionalLong address, Optional<MemoryAccount> exhausted) {}

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

  /** The requests that are tried. */
  private final NavigableSet<Waiter> active = queue();

  /** The lines of the accounts that hold requests back. */
  private final Map<MemoryAccount, Line> lines = new HashMap<>();

  private long arrivals;

  /** The last request for which there was no room since the queue was unblocked. */
  private Optional<Waiter> failed = Optional.empty();

  /** True if a request blocks the queue. */
  private boolean isQueueBlocked;

  /** The accounts of active requests that wait for a budget; later ones of these are not tried. */
  private final Set<MemoryAccount> waitingAccounts = new HashSet<>();

  /** The accounts that have too little left for an active request. */
  private final Set<MemoryAccount> exhaustedAccounts = new HashSet<>();

  Waiters(String allocator, Server server) {
    this.allocator = allocator;
    this.server = server;
  }

  private static NavigableSet<Waiter> queue() {
    return new TreeSet<>(Comparator.comparingLong((Waiter waiter) -> waiter.number));
  }

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  int count() {
    return waiters.size();
  }

  /** {@return the address for a new request, or empty if it waits now} */
  OptionalLong tryOrAdd(Waiter waiter) {
    waiter.number = ++arrivals;
    if (isQueueBlocked) {
      active.add(waiter);
    } else if (!isHeldUp(waiter)) {
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
    if (waiter.origin.account().isEmpty()) {
      return false;
    }
    MemoryAccount account = waiter.origin.account().get();
    Optional<MemoryAccount> holding =
        account.reached(
            each -> isAhead(each, waiter) || exhaustedAccounts.contains(each),
            Quantum.roundedBytes(waiter.bytes));
    if (holding.isEmpty() && !waitingAccounts.contains(account)) {
      return false;
    }
    if (holding
        .filter(each -> isAhead(each, waiter) && account.certainlyReaches(each))
        .isPresent()) {
      enter(lineOf(holding.get()), waiter);
    } else {
      waitingAccounts.add(account);
      activate(waiter);
    }
    return true;
  }

  private void noteFailed(Waiter waiter, Attempt attempt) {
    if (attempt.exhausted().isEmpty()) {
      isQueueBlocked = server.freesMayServe(waiter);
      failed = Optional.of(waiter);
      activate(waiter);
      return;
    }
    MemoryAccount account = waiter.origin.account().orElseThrow();
    MemoryAccount exhausted = attempt.exhausted().get();
    if (account.certainlyReaches(exhausted)) {
      enter(lineOf(exhausted), waiter);
    } else {
      waitingAccounts.add(account);
      exhaustedAccounts.add(exhausted);
      activate(waiter);
    }
  }

  // Lines.

  private Line lineOf(MemoryAccount account) {
    return lines.computeIfAbsent(account, _ -> new Line(Optional.of(account)));
  }

  private boolean isAhead(MemoryAccount account, Waiter waiter) {
    Line line = lines.get(account);
    return line != null && line.held.first().number < waiter.number;
  }

  private void enter(Line line, Waiter waiter) {
    active.remove(waiter);
    line.held.add(waiter);
    change(waiter, line);
  }

  private void activate(Waiter waiter) {
    active.add(waiter);
    change(waiter, waiter.line.account.isPresent() ? new Line(Optional.empty()) : waiter.line);
  }

  private void change(Waiter waiter, Line line) {
    Line before = waiter.line;
    waiter.line = line;
    if (before != line) {
      advance(before);
    }
  }

  /** Makes the first request of a line active, if there is one. */
  private void advance(Line line) {
    if (!line.held.isEmpty()) {
      active.add(line.held.removeFirst());
    }
    if (line.held.isEmpty() && line.account.isPresent()) {
      lines.remove(line.account.get(), line);
    }
  }

  /** Notes that an account and its ancestors may have more left. */
  void noteReleased(MemoryAccount account) {
    Line line = lines.get(account);
    if (line != null) {
      advance(line);
    }
    if (account.parent().isPresent()) { // no lambda, which would be an object for each free
      noteReleased(account.parent().get());
    }
  }

  /** Removes a request, and {@return false if it does not wait} */
  private boolean remove(Waiter waiter) {
    if (!waiters.remove(waiter)) {
      return false;
    }
    active.remove(waiter);
    waiter.line.held.remove(waiter);
    advance(waiter.line);
    return true;
  }

  // Answers.

  /**
   * Ends the wait of a request and {@return its address, or empty if there is no room or the limit
   * is now too low}
   *
   * <p>If the request has no answer, it is tried once more, unless its thread is interrupted.
   *
   * @throws InterruptedException if the request has no answer and its thread is interrupted
   */
  OptionalLong end(Waiter waiter) throws InterruptedException {
    if (waiter.answer().isPresent()) {
      return waiter.answer().get().get();
    }
    remove(waiter);
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
    Waiter waiter = active.isEmpty() ? null : active.first();
    while (waiter != null && !isQueueBlocked) {
      if (failed.isEmpty() || !waiter.needsAtLeast(failed.get())) {
        serve(waiter);
      } else if (waiter.isEqualTo(failed.get())) {
        enter(failed.get().line, waiter);
      }
      waiter = active.higher(waiter);
    }
  }

  private void serve(Waiter waiter) {
    try {
      if (!isHeldUp(waiter)) {
        Attempt attempt = server.take(waiter);
        if (attempt.address().isPresent()) {
          remove(waiter);
          waiter.finish(attempt::address);
        } else {
          noteFailed(waiter, attempt);
        }
      }
    } catch (RuntimeException | Error e) {
      remove(waiter);
      waiter.finish(() -> {
        throw e;
      });
    }
  }

  private void unblock() {
    isQueueBlocked = false;
    failed = Optional.empty();
    waitingAccounts.clear();
    exhaustedAccounts.clear();
  }

  /**
   * Removes a request after its thread stopped waiting, and {@return the address that was given to
   * it, if there is one}
   */
  OptionalLong withdraw(Waiter waiter) {
    if (remove(waiter)) {
      serve();
      return OptionalLong.empty();
    }
    return waiter.answer().isPresent() ? waiter.answer().get().get() : OptionalLong.empty();
  }

  /** Ends the wait of some requests, which are then tried once more by their threads. */
  void dismissIf(Predicate<Waiter> isHopeless) {
    List<Waiter> hopeless = waiters.stream().filter(isHopeless).toList();
    hopeless.forEach(waiter -> {
      remove(waiter);
      waiter.finish(OptionalLong::empty);
    });
    if (isEmpty()) { // there is nothing to serve, so that nothing else ends the block
      unblock();
    }
  }

  /** Gives all requests the same answer. */
  void dismiss(Supplier<OptionalLong> answer) {
    List.copyOf(waiters)
        .forEach(waiter -> {
          remove(waiter);
          waiter.finish(answer);
        });
    unblock();
  }
}
