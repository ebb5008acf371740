package dev.stowage.allocator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The place of an allocator among its private pools and the allocators above it. */
final class PoolFamily implements Relatives {

  /*
   * All members have one lock, so that a member can count and return the memory of others. Regions and
   * chunks belong to one member. A limit applies to the regions of a member and of all pools below it.
   *
   * A member that has too little room takes no free memory of pools below it: a captured graph writes to
   * the addresses of its pool, whether they are allocated or not. It does take that of the members above.
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

    /** Closes it and the pools below it. */
    void close();

    /** Closes it and the pools below it when their memory is free. */
    void closeWhenFree();
  }

  private final Optional<Member> above;
  private final List<Member> pools = new ArrayList<>();

  PoolFamily(Optional<Member> above) {
    this.above = above;
  }

  @Override
  public long poolBytes() {
    long bytes = 0;
    for (Member pool : pools) {
      bytes += pool.heldBytes();
    }
    return bytes;
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
    pools.removeIf(Member::hasEnded);
    pools.add(pool);
  }

  List<Member> pools() {
    return List.copyOf(pools);
  }

  /** {@return true if requests wait at this member, or at others that its memory may serve} */
  boolean isAnyWaiting(Member self) {
    return self.isWaiting()
        || (above.isPresent() && above.get().family().isAnyWaiting(above.get()))
        || isWaitingBelow();
  }

  private boolean isWaitingBelow() {
    if (!pools.isEmpty()) {
      for (Member pool : pools) {
        if (pool.isWaiting() || pool.family().isWaitingBelow()) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Serves the requests that wait at this member and, as it may have returned memory, at others.
   */
  void serve(Member self) {
    self.serveOwn();
    if (above.isPresent()) {
      above.get().family().serveUpwards(above.get(), self);
    }
    serveDownwards(self);
  }

  private void serveUpwards(Member self, Member served) {
    self.serveOwn();
    if (above.isPresent()) {
      above.get().family().serveUpwards(above.get(), self);
    }
    serveDownwards(served);
  }

  @SuppressWarnings("ReferenceEquality") // members are compared by identity
  private void serveDownwards(Member served) {
    if (!pools.isEmpty()) {
      for (Member pool : pools()) {
        if (!pool.equals(served)) {
          pool.serveOwn();
          pool.family().serveDownwards(served);
        }
      }
    }
  }
}
