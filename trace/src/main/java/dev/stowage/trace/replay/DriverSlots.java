package dev.stowage.trace.replay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The addresses that {@code cudaMalloc} hands out in most runs, as recordings of an H100 show them.
 *
 * <p>The driver takes slots of 32 MiB, or multiples, at descending addresses, and puts an
 * allocation at the start of its slot. Further ones go behind it, into the latest slot that has
 * room. A slot without allocations is free again, and the highest free one is taken first.
 */
final class DriverSlots {

  private static final long SLOT = 32 << 20;

  /** The number of slots that are searched for room, which bounds the cost. */
  private static final int MOST_SEARCHED = 256;

  /** A slot, and the ends of its allocations by their starts. */
  private record Slot(long start, long bytes, TreeMap<Long, Long> used) {

    /** {@return the lowest address at which some bytes are free; -1 if there is none} */
    long room(long wanted) {
      long end = start;
      for (Map.Entry<Long, Long> allocation : used.entrySet()) {
        if (allocation.getKey() - end >= wanted) {
          return end;
        }
        end = allocation.getValue();
      }
      return start + bytes - end >= wanted ? end : -1;
    }
  }

  /** The slots with allocations, the latest first. */
  private final Deque<Slot> slots = new ArrayDeque<>();

  private final Map<Long, Slot> slotOf = new HashMap<>();

  /** The ends of free ranges between slots, by their starts. */
  private final TreeMap<Long, Long> free = new TreeMap<>();

  private long lowest;

  /**
   * @param top the end of the addresses to hand out
   */
  DriverSlots(long top) {
    lowest = top & -SLOT;
  }

  /** {@return the address of a new allocation} */
  long allocate(long bytes) {
    int searched = 0;
    for (Slot slot : slots) {
      long address = slot.room(bytes);
      if (address >= 0) {
        return use(slot, address, bytes);
      }
      if (++searched == MOST_SEARCHED) {
        break;
      }
    }
    long slotBytes = bytes + SLOT - 1 & -SLOT;
    Slot slot = new Slot(newStart(slotBytes), slotBytes, new TreeMap<>());
    slots.addFirst(slot);
    return use(slot, slot.start(), bytes);
  }

  private long use(Slot slot, long address, long bytes) {
    slot.used().put(address, address + bytes);
    slotOf.put(address, slot);
    return address;
  }

  private long newStart(long bytes) {
    for (Map.Entry<Long, Long> range : free.descendingMap().entrySet()) {
      long start = range.getKey();
      long end = range.getValue();
      if (end - start >= bytes) {
        free.remove(start);
        if (end - bytes > start) {
          free.put(start, end - bytes);
        }
        return end - bytes;
      }
    }
    lowest -= bytes;
    return lowest;
  }

  /** Takes an allocation back. */
  void free(long address) {
    Slot slot = slotOf.remove(address);
    if (slot == null) {
      return;
    }
    slot.used().remove(address);
    if (slot.used().isEmpty()) {
      slots.removeIf(each -> each.start() == slot.start());
      long start = slot.start();
      long end = start + slot.bytes();
      Map.Entry<Long, Long> below = free.lowerEntry(start);
      if (below != null && below.getValue() == start) {
        start = below.getKey();
      }
      Long above = free.remove(end);
      free.put(start, above == null ? end : above);
    }
  }
}
