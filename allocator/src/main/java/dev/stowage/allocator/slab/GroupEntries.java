package dev.stowage.allocator.slab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The allocations of a group, which its stripe lists; the base of the group itself. */
abstract class GroupEntries {

  /*
   * An entry is the address of a chunk, the handle of a slot without its sign, or NONE after the chunk
   * was freed.
   */

  static final long NONE = Long.MIN_VALUE;

  /** The stripe that has all slots of this group; null before the registration. */
  @Nullable Stripe stripe;

  /** The neighbours in the list of the stripe. */
  @Nullable GroupEntries previous;

  @Nullable GroupEntries next;

  /** The number of the group in its allocator, from 0; 0 before the registration. */
  long id;

  long firstEntry = NONE;

  /** The number of other entries, and these; null if there are none. */
  long @Nullable [] others;

  /** Makes room for one more entry. */
  final void makeRoom() {
    if (firstEntry != NONE) {
      if (others == null) {
        others = new long[8];
      } else if (others[0] + 1 == others.length) {
        others = Arrays.copyOf(others, 2 * others.length);
      }
    }
  }

  /** Adds an entry, for which there is room. */
  final void add(long entry) {
    if (firstEntry == NONE) {
      firstEntry = entry;
    } else if (others != null) {
      others[(int) ++others[0]] = entry;
    }
  }

  /** {@return the handle of a slot} */
  static int handle(long entry) {
    return (int) ~entry;
  }

  /** {@return the entries, with the lock of the stripe} */
  final List<Long> entries() {
    List<Long> entries = new ArrayList<>();
    if (firstEntry != NONE) {
      entries.add(firstEntry);
    }
    long[] current = others;
    if (current != null) {
      Arrays.stream(current, 1, 1 + (int) current[0])
          .filter(entry -> entry != NONE)
          .forEach(entries::add);
    }
    return entries;
  }

  /** Checks S3 for the slots of this group, with the lock of its stripe; {@return their number} */
  final int checkSlots(Stripe held) {
    List<Long> slots = entries().stream().filter(entry -> entry < 0).toList();
    for (long slot : slots) {
      if (!held.equals(stripe) || !held.isUsed(handle(slot))) {
        throw new AssertionError("S3 a group has a free slot: group=" + id);
      }
    }
    return slots.size();
  }
}
