package dev.stowage.trace.replay;

import dev.stowage.allocator.OutOfMemoryNumbers;
import dev.stowage.allocator.OutOfMemoryNumbers.Quantity;

/** The numbers of requests that simulated allocators refuse. */
public final class Refusals {

  private Refusals() {}

  /**
   * {@return the numbers that decide the verdict}
   *
   * @param allocator the allocator
   * @param bytes the requested bytes
   * @param blockBytes the bytes of their block
   * @param limitBytes the most bytes that the allocator may hold
   */
  public static OutOfMemoryNumbers numbers(
      SimulatedAllocator allocator, long bytes, long blockBytes, long limitBytes) {
    long inUse = allocator.bytesInUse();
    long waste = inUse - allocator.requestedBytesInUse();
    OutOfMemoryNumbers numbers =
        OutOfMemoryNumbers.ofRequest(blockBytes)
            .with(Quantity.IN_USE, inUse)
            .with(Quantity.CACHED, allocator.reservedBytes() - inUse)
            .with(Quantity.WASTE, waste + Math.max(0, blockBytes - bytes));
    if (limitBytes < Long.MAX_VALUE) {
      numbers = numbers.with(Quantity.LIMIT, limitBytes);
    }
    // A larger free block is one that the request may not use, or at a wrong alignment.
    long largest = allocator.largestFreeBytes();
    return largest < blockBytes ? numbers.with(Quantity.LARGEST_HOLE, largest) : numbers;
  }

  /**
   * {@return the refusal of a request}
   *
   * @param numbers the numbers that decide the verdict
   * @param text the numbers of the allocator as sentences
   */
  public static SimulatedAllocator.Refusal of(OutOfMemoryNumbers numbers, String text) {
    return new SimulatedAllocator.Refusal(
        numbers.verdict(), numbers, "out of memory: " + text);
  }
}
