package dev.stowage.allocator.internal;

import dev.stowage.allocator.RegionChunks;
import java.util.List;
import java.util.Map;

/**
 * The slots of a pool, read one stripe after the other.
 *
 * @param allocations the requests so far that took a slot
 * @param slabs the slots of each slab, by the address of the slab
 * @param slots the slots in use; empty if only sums were read
 */
public record SlotUse(long allocations, Map<Long, RegionChunks.Slots> slabs, List<Slot> slots) {

  /** An allocator without slots. */
  public static final SlotUse NONE = new SlotUse(0, Map.of(), List.of());

  /**
   * A slot in use.
   *
   * @param address its address
   * @param requestedBytes the bytes that the user requested
   * @param bytes the bytes of the slot
   * @param tag its path of tags, empty for none
   */
  public record Slot(long address, long requestedBytes, long bytes, String tag) {}

  /** The pool that divides slabs. */
  public interface Source {

    /**
     * {@return the slots}
     *
     * @param isEach false if only sums are needed
     */
    SlotUse read(boolean isEach);
  }
}
