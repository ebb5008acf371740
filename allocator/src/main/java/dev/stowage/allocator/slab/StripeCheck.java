package dev.stowage.allocator.slab;

import java.util.Set;

/** The check of the invariants S1 to S6 of a stripe. */
final class StripeCheck {

  private final Stripe stripe;
  private long used;
  private long slots;
  private long requestedBytes;

  StripeCheck(Stripe stripe) {
    this.stripe = stripe;
  }

  /** Checks the stripe, and adds the addresses of its slabs to a set. */
  void run(Set<Long> slabs) {
    stripe.forEachSlab(slab -> {
      slab.checkInvariants();
      check(slabs.add(slab.address), "S7 two slabs are one chunk");
      addSums(slab);
      check(isInList(slab) != slab.isFull(), "S4 a slab is in the wrong list");
    });
    stripe.forEachGroup(group -> {
      slots += group.checkSlots(stripe);
    });
    check(used == slots, "S3 a used slot belongs to no group, or to two");
    checkEmpty();
    check(stripe.requestedBytes() == requestedBytes, "S6 the requested bytes are wrong");
  }

  private void addSums(Slab slab) {
    used += slab.used();
    for (int slot = 0; slot < slab.slots; slot++) {
      requestedBytes += slab.isUsed(slot) ? slab.requestedBytes(slot) : 0;
    }
  }

  private boolean isInList(Slab wanted) {
    boolean found = false;
    for (Slab slab = stripe.list(wanted.sizeClass); slab != null; slab = slab.next) {
      found |= slab.equals(wanted);
    }
    return found;
  }

  private void checkEmpty() {
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      int empty = 0;
      for (Slab slab = stripe.list(sizeClass); slab != null; slab = slab.next) {
        empty += slab.isEmpty() ? 1 : 0;
      }
      check(empty <= 1, "S5 a class has two empty slabs");
    }
  }

  private static void check(boolean holds, String broken) {
    if (!holds) {
      throw new AssertionError(broken);
    }
  }
}
