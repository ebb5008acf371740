package dev.stowage.allocator.slab;

import dev.stowage.allocator.stripe.CacheStripes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The stripes of an allocator, and the groups in them. Safe for use by many threads. */
final class Stripes {

  private final List<Stripe> stripes;

  /** The kept chunks and the locks of these stripes. */
  private final CacheStripes cache;

  /** Written with all stripes. */
  private volatile State state = State.OPEN;

  /** The acceptance of new groups. */
  enum State {
    OPEN,

    /** New groups are rejected while a thread tries to end the registered ones. */
    CLOSING,

    CLOSED
  }

  /**
   * @param cache the kept chunks and the locks of the stripes
   * @param waiting the requests that wait for memory
   */
  Stripes(CacheStripes cache, AtomicInteger waiting) {
    this.cache = cache;
    List<Stripe> all = new ArrayList<>();
    AtomicLong groupIds = new AtomicLong();
    for (int i = 0; i < cache.count(); i++) {
      all.add(Stripe.create(cache.get(i), groupIds, waiting));
    }
    stripes = List.copyOf(all);
  }

  State state() {
    return state;
  }

  /** {@return the registered groups in the order of their registration} */
  List<GroupEntries> groups() {
    List<GroupEntries> groups = new ArrayList<>();
    withAll(() -> addGroups(groups));
    groups.sort(Comparator.comparingLong(group -> group.id));
    return List.copyOf(groups);
  }

  private void addGroups(List<GroupEntries> groups) {
    stripes.forEach(stripe -> stripe.forEachGroup(groups::add));
  }

  /** Rejects new groups if the registered ones fulfil a condition; {@return true if they do} */
  boolean closeIf(Predicate<List<GroupEntries>> condition) {
    withAll(() -> {
      List<GroupEntries> groups = new ArrayList<>();
      addGroups(groups);
      if (condition.test(groups)) {
        state = State.CLOSING;
      }
    });
    return state == State.CLOSING;
  }

  void reopen() {
    withAll(() -> state = State.OPEN);
  }

  void close() {
    withAll(() -> state = State.CLOSED);
  }

  /** Runs an action while the thread holds all stripes. */
  private void withAll(Runnable action) {
    int held = 0;
    try {
      for (Stripe stripe : stripes) {
        stripe.hold();
        held++;
      }
      action.run();
    } finally {
      stripes.subList(0, held).forEach(Stripe::release);
    }
  }

  /** Calls an action with each stripe, one after the other, while the thread holds it. */
  void forEachHeld(Consumer<Stripe> action) {
    for (Stripe stripe : stripes) {
      stripe.hold();
      try {
        action.accept(stripe);
      } finally {
        stripe.release();
      }
    }
  }

  /** {@return a stripe that the thread then holds, if possible the same as last time} */
  Stripe holdFree() {
    return stripes.get(cache.holdFree());
  }
}
