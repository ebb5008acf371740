package dev.stowage.memory.pool;

import dev.stowage.allocator.internal.Failures;
import dev.stowage.allocator.slab.AllocationGroup;
import dev.stowage.allocator.slab.SlabAllocator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The arenas of a pool, which a thread holds while it tries to close the pool. */
final class HeldArenas {

  /*
   * Other threads can open and close arenas until the pool rejects new ones. The arenas that are
   * open at this moment are the registered ones, and all of them are held. Each belongs to this
   * thread, to a thread that has ended, or to all threads. A held arena that was closed earlier is
   * not registered.
   */

  private static final System.Logger LOGGER = System.getLogger("dev.stowage.memory");

  private final PoolArenas arenas;
  private final PoolChunks chunks;
  private final SlabAllocator slabs;
  private final Set<PoolOwner> held = new LinkedHashSet<>();

  /** The arenas that were open when new ones were rejected. */
  private final Set<AllocationGroup> registered = new HashSet<>();

  private boolean isRejecting;

  HeldArenas(PoolArenas arenas) {
    this.arenas = arenas;
    this.chunks = arenas.chunks();
    this.slabs = chunks.slabs();
  }

  /**
   * Holds all open arenas and rejects new ones, or {@return the reason why it cannot}
   *
   * @param isOfOthers finds the arenas that other threads must close first
   */
  Optional<IllegalStateException> hold(Predicate<PoolOwner> isOfOthers) {
    do { // other threads may open arenas meanwhile
      List<PoolOwner> open = arenas.open();
      List<PoolOwner> others = open.stream().filter(isOfOthers).toList();
      if (!others.isEmpty()) {
        return Optional.of(closedByOthersFirst(others));
      }
      List<PoolOwner> inUse =
          Stream.concat(Stream.<PoolOwner>of(arenas.lasting()), open.stream())
              .filter(arena -> !held.contains(arena) && !hold(arena))
              .toList();
      if (!inUse.isEmpty()) {
        return Optional.of(inUse(inUse));
      }
    } while (!slabs.closeIf(this::tryRegister));
    isRejecting = true;
    return Optional.empty();
  }

  /** Keeps the open arenas if all of them are held, and {@return true if they are} */
  private boolean tryRegister(List<AllocationGroup> open) {
    boolean isHeld = held.containsAll(open);
    if (isHeld) {
      registered.addAll(open);
    }
    return isHeld;
  }

  private boolean hold(PoolOwner arena) {
    return arena.tryHold() && held.add(arena);
  }

  private IllegalStateException closedByOthersFirst(List<PoolOwner> others) {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "pool '%s' cannot be closed by thread '%s': %s; %s first",
            chunks.poolName(),
            Thread.currentThread().getName(),
            PoolArenas.describe(others),
            remedy(others)));
  }

  private static String remedy(List<PoolOwner> others) {
    String pronoun = others.size() == 1 ? "it" : "them";
    long counted = others.stream().filter(CountedMemory.class::isInstance).count();
    if (counted == 0) {
      return String.format(Locale.ROOT, "close %s there", pronoun);
    }
    return String.format(
        Locale.ROOT, counted == others.size() ? "release %s" : "close or release %s", pronoun);
  }

  private IllegalStateException inUse(List<PoolOwner> owners) {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "pool '%s' cannot be closed: %s is in use by a native call, another thread or its own closing",
            chunks.poolName(),
            PoolArenas.describe(owners)));
  }

  private List<PoolOwner> ending() {
    return held.stream().filter(registered::contains).toList();
  }

  /**
   * Checks the memory that no caller may write, in debug mode.
   *
   * @throws IllegalStateException if some of it was written to
   */
  void checkFreed() {
    chunks.freed().ifPresent(FreedMemory::checkAll);
    chunks.freed().ifPresent(FreedMemory::throwFindings);
  }

  /** Ends all segments that can end. */
  void endSegments(Failures failures) {
    ending().forEach(arena -> failures.attempt(arena::endSegments));
  }

  /** {@return the reason why segments have not ended; empty if all have} */
  Optional<IllegalStateException> firstNotEnded() {
    List<PoolOwner> left = ending().stream().filter(arena -> !arena.hasEnded()).toList();
    return left.isEmpty() ? Optional.empty() : Optional.of(inUse(left));
  }

  /** Frees the memory, after all segments have ended. */
  void free(Failures failures) {
    if (!arenas.open().isEmpty()) {
      LOGGER.log(System.Logger.Level.WARNING, arenas::describeLeaks);
    }
    ending().forEach(arena -> failures.attempt(arena::freeMemory));
  }

  /** Ends the checks of a closed pool, and logs writes that happened while it was closed. */
  void endChecks() {
    chunks.freed().ifPresent(FreedMemory::end);
    try {
      chunks.freed().ifPresent(FreedMemory::throwFindings);
    } catch (IllegalStateException written) {
      LOGGER.log(System.Logger.Level.ERROR, written.getMessage());
    }
  }

  /** Accepts new arenas again, if they are rejected. */
  void reopen() {
    if (isRejecting) {
      slabs.reopen();
    }
  }

  /** Lets other threads use the arenas again. */
  void endHold() {
    held.forEach(PoolOwner::endHold);
  }
}
