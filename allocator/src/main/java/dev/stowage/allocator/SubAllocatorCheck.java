package dev.stowage.allocator;

import java.util.Locale;
import java.util.Optional;

/**
 * A check of the contract of a sub-allocator.
 *
 * @param allocator the name of the allocator, for messages
 * @param subAllocator the sub-allocator
 */
record SubAllocatorCheck(String allocator, SubAllocator subAllocator) {

  /**
   * Checks the units of regions.
   *
   * @throws IllegalArgumentException if the granularity or the alignment is not a power of two from
   *     256
   */
  SubAllocatorCheck {
    checkPowerOfTwo(allocator, "granularity", subAllocator.granularityBytes());
    checkPowerOfTwo(allocator, "alignment", subAllocator.alignmentBytes());
  }

  private static void checkPowerOfTwo(String allocator, String what, long bytes) {
    if (Long.bitCount(bytes) != 1 || bytes < Quantum.BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the %s of the sub-allocator of '%s' must be a power of two from 256: %sBytes=%d",
              what,
              allocator,
              what,
              bytes));
    }
  }

  /**
   * Checks a new region. An invalid one is returned, unless it overlaps another region.
   *
   * @param tiled the other regions
   * @throws IllegalStateException if the region is misaligned, ends beyond 2^63, or overlaps
   *     another
   */
  void checkRegion(long address, long bytes, TiledRegions tiled) {
    long alignmentBytes = subAllocator.alignmentBytes();
    if (address % alignmentBytes != 0) {
      subAllocator.free(address, bytes);
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the sub-allocator of '%s' returned a region at an address that is not a multiple of %d: address=%d",
              allocator,
              alignmentBytes,
              address));
    }
    if (address < 0 || bytes - 1 > Long.MAX_VALUE - address) {
      subAllocator.free(address, bytes);
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the sub-allocator of '%s' returned a region that ends beyond 2^63: address=0x%x, bytes=%d",
              allocator,
              address,
              bytes));
    }
    Optional<AllocationRegion> overlapped = tiled.overlapped(address, bytes);
    if (overlapped.isPresent()) {
      // It is not returned, because that could free memory of the other region.
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the sub-allocator of '%s' returned a region of %d bytes at %d, which overlaps the one of %d bytes at %d",
              allocator,
              bytes,
              address,
              overlapped.get().bytes(),
              overlapped.get().address()));
    }
  }
}
