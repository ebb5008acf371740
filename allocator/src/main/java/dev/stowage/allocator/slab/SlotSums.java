package dev.stowage.allocator.slab;

import dev.stowage.allocator.AllocatorReport.Holder;
import dev.stowage.allocator.internal.SlotCounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums over the slots of stripes, one stripe after the other. */
final class SlotSums {

  private final Map<String, Holder> holders = new HashMap<>();
  private long unusedIds;
  private long slots;
  private long slabs;
  private long requestedBytes;
  private long slabBytes;

  /** Adds a stripe, which the thread holds. */
  void add(Stripe stripe) {
    unusedIds += stripe.unusedIds();
    requestedBytes += stripe.requestedBytes();
    stripe.forEachSlab(this::add);
  }

  /** Adds a stripe, which the thread holds, and the tags of its slots. */
  void addWithHolders(Stripe stripe) {
    add(stripe);
    stripe.forEachSlab(this::addHolders);
  }

  private void add(Slab slab) {
    slots += slab.used();
    slabs++;
    slabBytes += slab.bytes();
  }

  private void addHolders(Slab slab) {
    for (int slot = 0; slot < slab.slots; slot++) {
      if (slab.isUsed(slot)) {
        String tag = slab.tag(slot);
        Holder before = holders.getOrDefault(tag, new Holder(tag, 0, 0, 0));
        holders.put(
            tag,
            new Holder(
                tag,
                before.allocations() + 1,
                before.requestedBytes() + slab.requestedBytes(slot),
                before.bytes() + slab.slotBytes()));
      }
    }
  }

  /** {@return the slots in use by tag} */
  List<Holder> holders() {
    return List.copyOf(holders.values());
  }

  /**
   * {@return the difference between the slots and their slabs}
   *
   * @param allocations the granted slabs and the ids without a stripe, negative
   */
  SlotCounts counts(long allocations) {
    return new SlotCounts(allocations - unusedIds, slots - slabs, requestedBytes - slabBytes, 0);
  }
}
