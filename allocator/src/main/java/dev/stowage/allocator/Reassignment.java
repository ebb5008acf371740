package dev.stowage.allocator;

import java.util.Locale;
import java.util.Optional;

/** Gives chunks in use to other requests, each in one step. */
final class Reassignment {

  private static final int NONE = RegionSpace.NONE;

  private final LockedSpace locked;
  private final FamilyMember member;
  private final AllocatorEvents events;

  Reassignment(LockedSpace locked, FamilyMember member, AllocatorEvents events) {
    this.locked = locked;
    this.member = member;
    this.events = events;
  }

  /**
   * Frees the allocation at an address and gives its chunk to a new request, in one step; or
   * {@return the account that has too little left for the request, and nothing changes}
   */
  Optional<Exhausted> reuse(long address, long bytes, Origin origin) {
    WrongAddress wrong;
    try (ShortLock _ = locked.lock().hold()) {
      locked.checkRequest(bytes, Quantum.BYTES);
      int slot = locked.find(address);
      if (slot != NONE) {
        checkFits(bytes, slot);
        return reuse(slot, bytes, origin);
      }
      wrong = locked.wrong(address);
    }
    throw wrong.nothingToFree(locked.allocator(), locked::copy);
  }

  private void checkFits(long bytes, int slot) {
    ChunkTable chunks = locked.space().chunks();
    if (bytes > chunks.bytes(slot)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a chunk of allocator '%s' is too small to be reused for the request: bytes=%d, chunk=%d, address=0x%x",
              locked.allocator(),
              bytes,
              chunks.bytes(slot),
              chunks.address(slot)));
    }
  }

  private Optional<Exhausted> reuse(int slot, long bytes, Origin origin) {
    RegionSpace space = locked.space();
    ChunkTable chunks = space.chunks();
    Origin from = chunks.origin(slot);
    Optional<Exhausted> exhausted =
        from.replaceBy(
            origin, Quantum.roundedBytes(chunks.requestedBytes(slot)), Quantum.roundedBytes(bytes));
    if (exhausted.isPresent()) {
      return exhausted;
    }
    from.account().ifPresent(member.waiters()::noteReleased);
    long id = chunks.allocationId(slot);
    boolean isFreed = false;
    boolean isUsed = false;
    try {
      events.unrepeatable(
          "Streams reused memory before its work was completed: the replay places such requests anew.");
      events.freed(space, slot);
      try {
        events.notifyFreed(id);
        isFreed = true;
      } finally {
        space.reuse(slot, bytes);
        chunks.setOrigin(slot, origin);
      }
      events.allocated(space, slot);
      isUsed = true;
    } finally {
      if (isUsed) {
        member.serveOwn(); // a budget may have more left
      } else if (!space.supply().isOfPool()) { // the listener threw: the request takes no memory
        if (isFreed) {
          events.freed(space, slot);
        }
        member.releaseOrigin(slot);
        member.freeAndServe(slot);
      }
    }
    return Optional.empty();
  }
}
