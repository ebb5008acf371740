package dev.stowage.memory.pool;

import static dev.stowage.memory.lifetime.Invariants.check;

import dev.stowage.allocator.ForwardingSubAllocator;
import dev.stowage.allocator.SubAllocator;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Regions with a mark between used and fresh memory. Fresh memory is zero, and is not zeroed again.
 */
final class FreshMemory extends ForwardingSubAllocator {

  /*
   *   start                     mark                  end of the region
   *   | used, perhaps free again | zero since it was mapped |
   *
   * The allocator holds its lock when it calls the methods of SubAllocator. A thread calls `use`
   * without that lock. Its memory is in use, so the region and the bytes below the end of this
   * memory stay. Meanwhile, other threads can only raise the mark, so memory can look used too
   * early.
   *
   *   F3  an allocation in use lies below the mark of its region.
   */

  /** The regions by their addresses. */
  private final ConcurrentSkipListMap<Long, Region> held = new ConcurrentSkipListMap<>();

  /** The region of the last use; an empty region before. */
  private volatile Region latest = Region.NONE;

  /** A region. */
  private static final class Region {

    private static final Region NONE = new Region(0, 0, 0);

    private final long start;

    /** Written with the lock of the allocator, before memory above it is in use elsewhere. */
    private long end;

    /** The memory is zero from this address on. */
    private final AtomicLong mark;

    Region(long start, long end, long mark) {
      this.start = start;
      this.end = end;
      this.mark = new AtomicLong(mark);
    }

    /** {@return the old mark, raised to an address} */
    long raise(long address) {
      long old = mark.get();
      while (old < address && !mark.compareAndSet(old, address)) {
        old = mark.get();
      }
      return old;
    }
  }

  FreshMemory(SubAllocator regions) {
    super(regions);
  }

  /** Marks new memory of the allocator as used and {@return the bytes that may not be zero} */
  long use(long address, long bytes) {
    long mark = region(address).raise(address + bytes);
    return Math.clamp(mark - address, 0, bytes);
  }

  private Region region(long address) {
    Region last = latest;
    if (address < last.start || address >= last.end) {
      last = held.floorEntry(address).getValue();
      latest = last;
    }
    return last;
  }

  @Override
  public OptionalLong allocate(long bytes) {
    OptionalLong address = super.allocate(bytes);
    if (address.isPresent()) {
      long start = address.getAsLong();
      long end = start + bytes;
      held.put(start, new Region(start, end, isZeroed() ? start : end));
    }
    return address;
  }

  @Override
  public void free(long address, long bytes) {
    super.free(address, bytes);
    held.remove(address);
    latest = Region.NONE;
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (!super.resize(address, bytes, newBytes)) {
      return false;
    }
    Region region = region(address);
    region.end = address + newBytes;
    if (newBytes < bytes) {
      region.mark.accumulateAndGet(region.end, Math::min);
    } else if (!isZeroed()) {
      region.raise(region.end);
    }
    return true;
  }

  /** Checks F3 for an allocation, while no other thread uses the pool. */
  void checkUsed(long address, long bytes) {
    Region region = region(address);
    boolean isBelow =
        region.start <= address
            && address + bytes <= region.mark.get()
            && region.mark.get() <= region.end;
    check(isBelow, "F3 memory in use counts as fresh", () -> address);
  }
}
