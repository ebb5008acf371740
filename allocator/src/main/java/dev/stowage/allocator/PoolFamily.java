package dev.stowage.allocator;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/** The place of an allocator among its private pools and the allocators above it. */
final class PoolFamily implements Relatives {

  /*
   * All members have one lock, so that a member can count and return the memory of others. Regions and
   * chunks belong to one member. A limit applies to the regions of a member and of all pools below it.
   *
   * Each member counts the bytes of the pools below it. All members share the set of members with
   * waiting requests. Therefore no request or free walks all pools. A free walks only the pools
   * that wait and may get its memory.
   *
   * A member that has too little room takes no free memory of pools below it: a captured graph writes to
   * the addresses of its pool, whether they are allocated or not. It takes the free memory of the members above.
   */

  /** An allocator or a private pool. */
  interface Member {

    /** {@return its place} */
    PoolFamily family();

    /** {@return the lowest limit of it and the members above} */
    long limitBytes();

    /** {@return the bytes that it and the pools below it hold} */
    long heldBytes();

    /** {@return the bytes that all limits leave} */
    long availableBytes();

    /** {@return true if no request can follow, and no memory is held} */
    boolean hasEnded();

    /** Returns free memory to the sub-allocator, and {@return true if there was any} */
    boolean trimForPool();

    /** {@return true if requests wait for its memory} */
    boolean isWaiting();

    /** Serves the requests that wait for its memory. */
    void serveOwn();

    /** Ends the waits that the limits rule out. */
    void dismissHopeless();

    /** Closes it and the pools below it. */
    void close();

    /** Closes it and the pools below it when their memory is free. */
    void closeWhenFree();
  }

  private final Optional<Member> above;
  private final SequencedSet<Member> pools = new LinkedHashSet<>();

  /** The bytes that the pools hold. */
  private long poolBytes;

  /** The members of the whole family with requests that wait, and some without. */
  private final SequencedSet<Member> waiting;

  PoolFamily(Optional<Member> above) {
    this.above = above;
    waiting = above.map(member -> member.family().waiting).orElseGet(LinkedHashSet::new);
  }

  @Override
  public long poolBytes() {
    return poolBytes;
  }

  @Override
  public void noteHeld(long moreBytes) {
    if (above.isPresent()) {
      PoolFamily family = above.get().family();
      family.poolBytes += moreBytes;
      family.noteHeld(moreBytes);
    }
  }

  @Override
  public long limitBytes() {
    return above.isPresent() ? above.get().limitBytes() : Long.MAX_VALUE;
  }

  @Override
  public long leftBytes() {
    return above.isPresent() ? above.get().availableBytes() : Long.MAX_VALUE;
  }

  @Override
  public boolean trimAbove() {
    if (above.isEmpty()) {
      return false;
    }
    boolean isTrimmed = above.get().trimForPool();
    return above.get().family().trimAbove() || isTrimmed;
  }

  void add(Member pool) {
    pools.add(pool);
  }

  List<Member> pools() {
    return List.copyOf(pools);
  }

  boolean hasPools() {
    return !pools.isEmpty();
  }

  /** Forgets a member if it has ended, and the members above that end with it. */
  void forgetIfEnded(Member self) {
    if (above.isPresent() && self.hasEnded()) {
      waiting.remove(self);
      above.get().family().pools.remove(self);
      above.get().family().forgetIfEnded(above.get());
    }
  }

  /** Notes that a request of a member waits. */
  void noteWaiting(Member member) {
    waiting.add(member);
  }

  /** {@return true if requests of any member wait} */
  boolean isAnyWaiting() {
    while (!waiting.isEmpty() && !waiting.getFirst().isWaiting()) {
      waiting.removeFirst();
    }
    return !waiting.isEmpty();
  }

  /** {@return the members with requests that wait, in the order in which these arrived} */
  List<Member> waiting() {
    waiting.removeIf(member -> !member.isWaiting());
    return List.copyOf(waiting);
  }

  /** Serves the requests that wait at a member and, as memory was returned, at all others. */
  void serve(Member self) {
    self.serveOwn();
    if (isAnyWaiting()) {
      waiting().forEach(Member::serveOwn);
    }
    forgetIfEnded(self);
  }
}
