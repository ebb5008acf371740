package dev.stowage.allocator.slab;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.stripe.CacheStripes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The stripes of an allocator, and the groups in them. Safe for use by many threads. */
public final class Stripes {

  private final BfcAllocator allocator;
  private final Stripe[] stripes;

  /** The kept chunks and the locks of these stripes. */
  private final CacheStripes cache;

  /** Written with all stripes. */
  private volatile State state = State.OPEN;

  /** The acceptance of new groups. */
  private enum State {
    OPEN,

    /** New groups are rejected while a thread tries to end the registered ones. */
    CLOSING,

    CLOSED
  }

  /**
   * Creates stripes without slabs and groups.
   *
   * @param allocator the allocator, for messages
   * @param cache the kept chunks and the locks of the stripes
   * @param waiting the requests that wait for memory
   */
  Stripes(BfcAllocator allocator, CacheStripes cache, AtomicInteger waiting) {
    this.allocator = allocator;
    this.cache = cache;
    stripes = new Stripe[cache.count()];
    AtomicLong groupIds = new AtomicLong();
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new Stripe(cache.get(i), groupIds, waiting);
      cache.get(i).guardSlabs(stripes[i]::removeEmpty);
    }
  }

  /** {@return true if new groups are accepted} */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** {@return true if {@link #close()} was called, after which new groups are rejected} */
  public boolean isClosed() {
    return state == State.CLOSED;
  }

  void checkOpen() {
    if (!isOpen()) {
      throw new IllegalStateException(allocator + (isClosed() ? " is closed" : " is being closed"));
    }
  }

  /**
   * {@return the registered groups in the order of their registration}
   *
   * @param type the class of all groups of this allocator
   * @param <G> the class of all groups of this allocator
   */
  public <G> List<G> groups(Class<G> type) {
    List<GroupEntries> groups = new ArrayList<>();
    withAll(() -> addGroups(groups));
    groups.sort(Comparator.comparingLong(group -> group.id));
    return cast(type, groups);
  }

  private void addGroups(List<GroupEntries> groups) {
    for (Stripe stripe : stripes) {
      stripe.forEachGroup(groups::add);
    }
  }

  private static <G> List<G> cast(Class<G> type, List<GroupEntries> groups) {
    return groups.stream().map(type::cast).toList();
  }

  /**
   * Rejects new groups if the registered ones fulfil a condition, until {@link #reopen()} or {@link
   * #close()}.
   *
   * @param type the class of all groups of this allocator
   * @param condition must not call this allocator or a group
   * @param <G> the class of all groups of this allocator
   * @return true if they do
   */
  public <G> boolean closeIf(Class<G> type, Predicate<List<G>> condition) {
    withAll(() -> {
      List<GroupEntries> groups = new ArrayList<>();
      addGroups(groups);
      if (condition.test(cast(type, groups))) {
        state = State.CLOSING;
      }
    });
    return state == State.CLOSING;
  }

  /** Accepts new groups again. */
  public void reopen() {
    withAll(() -> state = State.OPEN);
  }

  /** Rejects new groups from now on. */
  public void close() {
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
      while (held > 0) {
        stripes[--held].release();
      }
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
    return stripes[cache.holdFree()];
  }
}
