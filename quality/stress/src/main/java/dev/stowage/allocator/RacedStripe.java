package dev.stowage.allocator;

import dev.stowage.allocator.stripe.CacheStripe;

/** A stripe of a front cache with one entry of 256 bytes, used as {@link FrontCache} does. */
final class RacedStripe {

  /** The address of the entry. */
  static final int ADDRESS = 512;

  /** The stripe is locked, or has no such entry. */
  static final int NONE = 0;

  /** A broken invariant. */
  static final int BROKEN = -9;

  private static final int BYTES = 256;

  private final CacheStripe stripe = new CacheStripe(Origin.NONE);

  /** The numbers of entries that a visitor has seen. */
  private static final class Seen implements CacheStripe.Visitor {

    private int free;
    private int inUse;

    @Override
    public void free(long address) {
      free++;
    }

    @Override
    public void inUse(long address, long bytes, Object origin) {
      inUse++;
    }
  }

  /** Creates a stripe with a free entry. */
  RacedStripe() {
    stripe.grow();
    stripe.grant(BYTES);
    stripe.add(ADDRESS, BYTES);
  }

  /** {@return the address of the entry, or {@link #NONE}} */
  int tryTake() {
    if (!stripe.tryHold()) {
      return NONE;
    }
    try (stripe) {
      long address = stripe.take(BYTES, Origin.NONE);
      return address == CacheStripe.NO_ADDRESS ? NONE : (int) address;
    }
  }

  /** Frees the entry and {@return its address, or {@link #NONE}} */
  int tryFree() {
    if (!stripe.tryHold()) {
      return NONE;
    }
    try (stripe) {
      return stripe.free(ADDRESS) ? ADDRESS : NONE;
    }
  }

  /** Clears the stripe, and {@return 10 for each free entry, and 1 for each entry in use} */
  int clear() {
    Seen seen = new Seen();
    try (CacheStripe _ = stripe.hold()) {
      stripe.clear(seen);
    }
    return 10 * seen.free + seen.inUse;
  }

  /**
   * Checks the invariants, then does as {@link #clear()}; {@return its result, or {@link #BROKEN}}
   */
  int checkAndClear() {
    try (CacheStripe _ = stripe.hold()) {
      stripe.checkInvariants();
    } catch (AssertionError _) {
      return BROKEN;
    }
    return clear();
  }
}
