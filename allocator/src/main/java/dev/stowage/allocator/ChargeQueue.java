package dev.stowage.allocator;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** The charges that wait in a tree of accounts. The lock of the tree guards it. */
final class ChargeQueue {

  /*
   * Each account has a line. A charge stands in the line of its account and in the lines above it,
   * up to the first account with too few bytes left, or with an earlier charge in its line. So the
   * line of an account has its own charges that wait, and the first charge of the line of each
   * child. Only the first charge of a line may stand in the line above:
   *
   *   root    [a1, b1]        b1 waits for a1, or for what a1 leaves
   *   a       [a1, a2, a3]    a1 lacks bytes of the root
   *   b       [b1]
   *   c       [c1]            c1 lacks bytes of c, and holds up nothing else
   *
   * A charge is held up in a line by each earlier one, unless a reservation below covers all its
   * bytes. A change of an account therefore tries only the first charge of its line and of each
   * line above. These are O(d) charges of O(d) levels, for any number of waiting charges. Each
   * charge that it serves costs O(d log w) more.
   */

  /** A charge that waits. The lock guards all fields; the answer is false if it can never begin. */
  static final class Waiter extends Wait<Boolean> {

    private final MemoryAccount.Charge charge;
    private final long bytes;
    private final long number;

    /** The account that holds the charge up: the last line in which the charge stands. */
    private MemoryAccount last;

    private Waiter(MemoryAccount.Charge charge, long bytes, long number, Duration timeout) {
      super(timeout);
      this.charge = charge;
      this.bytes = bytes;
      this.number = number;
      this.last = charge.account();
    }
  }

  private final Map<MemoryAccount, NavigableSet<Waiter>> lines = new HashMap<>();
  private long arrivals;

  /** The number of accounts that were asked whether they hold up a charge. */
  private long steps;

  /** Adds a charge that is held up. */
  Waiter add(MemoryAccount.Charge charge, long bytes, Duration timeout) {
    Waiter waiter = new Waiter(charge, bytes, ++arrivals, timeout);
    stand(waiter, stop(waiter).orElseThrow().account());
    return waiter;
  }

  /** {@return the lowest account that would hold up a new charge} */
  Optional<Exhausted> stop(MemoryAccount account, long bytes) {
    return stop(account, bytes, Long.MAX_VALUE);
  }

  /** {@return the lowest account that holds up a charge} */
  Optional<Exhausted> stop(Waiter waiter) {
    return stop(waiter.charge.account(), waiter.bytes, waiter.number);
  }

  private Optional<Exhausted> stop(MemoryAccount account, long bytes, long number) {
    steps++;
    if (bytes == 0) {
      return Optional.empty();
    }
    if (!account.hasRoom(bytes) || isHeldUp(account, number)) {
      return Optional.of(account.exhausted(bytes));
    }
    return account.parent().isPresent()
        ? stop(account.parent().get(), account.unreservedBytes(bytes), number)
        : Optional.empty();
  }

  private boolean isHeldUp(MemoryAccount account, long number) {
    if (lines.isEmpty()) {
      return false;
    }
    NavigableSet<Waiter> line = lines.get(account);
    return line != null && line.first().number < number;
  }

  /** Puts a charge into the lines up to the line of an account, and into no line above. */
  private void stand(Waiter waiter, MemoryAccount last) {
    waiter.last = last;
    boolean isAbove = false;
    for (Optional<MemoryAccount> at = Optional.of(waiter.charge.account());
        at.isPresent();
        at = at.get().parent()) {
      if (isAbove) {
        leave(at.get(), waiter);
      } else {
        enter(at.get(), waiter);
      }
      isAbove |= at.get() == last;
    }
  }

  private void enter(MemoryAccount account, Waiter waiter) {
    NavigableSet<Waiter> line = lines.computeIfAbsent(account, _ -> line());
    if (!line.isEmpty() && line.first().number > waiter.number) {
      stand(line.first(), account); // it is no longer the first
    }
    line.add(waiter);
  }

  private static NavigableSet<Waiter> line() {
    return new TreeSet<>(Comparator.comparingLong((Waiter waiter) -> waiter.number));
  }

  private void leave(MemoryAccount account, Waiter waiter) {
    NavigableSet<Waiter> line = lines.get(account);
    if (line != null && line.remove(waiter) && line.isEmpty()) {
      lines.remove(account);
    }
  }

  private void leaveAll(Waiter waiter) {
    for (Optional<MemoryAccount> at = Optional.of(waiter.charge.account());
        at.isPresent();
        at = at.get().parent()) {
      leave(at.get(), waiter);
    }
  }

  /** Begins the charges that a changed account and the accounts above no longer hold up. */
  void serve(MemoryAccount changed) {
    if (lines.isEmpty()) {
      return;
    }
    Optional<MemoryAccount> at = Optional.of(changed);
    while (at.isPresent()) {
      MemoryAccount account = at.get();
      NavigableSet<Waiter> line = lines.get(account);
      if (line == null) {
        at = account.parent();
        continue;
      }
      Waiter first = line.first();
      Optional<Exhausted> stop = stop(first);
      if (stop.isEmpty()) {
        leaveAll(first);
        first.charge.account().begin(first.charge, first.bytes);
        first.finish(true);
        at = Optional.of(first.charge.account()); // all its lines have another first one
      } else {
        stand(first, stop.get().account());
        at = line.contains(first) ? account.parent() : at;
      }
    }
  }

  /** Removes a charge that no longer waits. */
  void remove(Waiter waiter) {
    leaveAll(waiter);
    serve(waiter.charge.account());
  }

  /**
   * Tries all charges again in the order of their arrival after a limit was changed, and ends the
   * waits that the limits rule out.
   */
  void tryAll() {
    NavigableSet<Waiter> waiting = line();
    lines.values().forEach(waiting::addAll);
    lines.clear();
    for (Waiter waiter : waiting) {
      MemoryAccount account = waiter.charge.account();
      Optional<Exhausted> stop = stop(waiter);
      if (account.beyondLimits(waiter.bytes).isPresent()) {
        waiter.finish(false);
      } else if (stop.isPresent()) {
        stand(waiter, stop.get().account());
      } else {
        account.begin(waiter.charge, waiter.bytes);
        waiter.finish(true);
      }
    }
  }

  /** {@return the number of charges that an account holds up} */
  long countAt(MemoryAccount account) {
    NavigableSet<Waiter> line = lines.get(account);
    if (line == null) {
      return 0;
    }
    return line.first().last == account ? line.size() : line.size() - 1;
  }

  /** {@return the number of charges in the line of an account} */
  long countIn(MemoryAccount account) {
    NavigableSet<Waiter> line = lines.get(account);
    return line == null ? 0 : line.size();
  }

  /** {@return the number of accounts that were asked so far whether they hold up a charge} */
  long steps() {
    return steps;
  }
}
