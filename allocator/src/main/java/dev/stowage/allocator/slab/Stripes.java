package dev.stowage.allocator.slab;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The stripes of an allocator, and the groups in them. Safe for use by many threads. */
final class Stripes {

  /*
   * Threads whose stripes are different share no cache line. The stripe of a thread depends on its id,
   * until it finds the stripe locked: then the one that it takes becomes its stripe, so that two threads
   * do not meet at each request. The choices are not synchronized: a choice that a thread does not see
   * costs time only.
   */

  /** The choices of stripes; threads whose ids differ by a multiple share one. */
  private static final int CHOICES = 256;

  private final List<Stripe> stripes;

  /** The index of the stripe of each thread. */
  private final char[] chosen = new char[CHOICES];

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
   * Creates stripes: a power of two, at least two for each processor.
   *
   * @param waiting the requests that wait for memory
   */
  Stripes(int processors, AtomicInteger waiting) {
    List<Stripe> all = new ArrayList<>();
    AtomicLong groupIds = new AtomicLong();
    int count = 2 * Integer.highestOneBit(2 * Math.max(1, processors) - 1);
    for (int i = 0; i < count; i++) {
      all.add(Stripe.create(groupIds, waiting));
    }
    stripes = List.copyOf(all);
    for (int thread = 0; thread < CHOICES; thread++) {
      chosen[thread] = (char) (thread & (count - 1));
    }
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
    int thread = (int) Thread.currentThread().threadId() & (CHOICES - 1);
    Stripe stripe = stripes.get(chosen[thread]);
    return stripe.tryHold() ? stripe : holdOther(thread);
  }

  private Stripe holdOther(int thread) {
    int first = chosen[thread];
    for (int i = 1; i < stripes.size(); i++) {
      int index = (first + i) & (stripes.size() - 1);
      Stripe stripe = stripes.get(index);
      if (stripe.tryHold()) {
        chosen[thread] = (char) index;
        return stripe;
      }
    }
    stripes.get(first).hold();
    return stripes.get(first);
  }

  /** Removes all empty slabs and {@return the first one to return, or null} */
  @Nullable Slab removeEmpty() {
    Slab empty = null;
    for (Stripe stripe : stripes) {
      stripe.hold();
      try {
        empty = stripe.removeEmpty(empty);
      } finally {
        stripe.release();
      }
    }
    return empty;
  }
}
