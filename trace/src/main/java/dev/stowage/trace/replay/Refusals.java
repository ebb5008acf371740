package dev.stowage.trace.replay;

import dev.stowage.allocator.OutOfMemoryVerdict;

/** The verdicts on refused requests. */
public final class Refusals {

  private Refusals() {}

  /**
   * {@return the reason for a refusal}
   *
   * @param allocator the allocator
   * @param bytes the requested bytes
   * @param blockBytes the bytes of their block
   * @param limitBytes the most bytes that the allocator may hold
   * @param numbers the numbers of the allocator
   */
  public static SimulatedAllocator.Refusal of(
      SimulatedAllocator allocator, long bytes, long blockBytes, long limitBytes, String numbers) {
    OutOfMemoryVerdict verdict =
        bytes > limitBytes - allocator.requestedBytesInUse()
            ? OutOfMemoryVerdict.TRUE_SHORTAGE
            : blockBytes > limitBytes - allocator.bytesInUse()
                ? OutOfMemoryVerdict.INTERNAL_FRAGMENTATION
                : OutOfMemoryVerdict.EXTERNAL_FRAGMENTATION;
    return new SimulatedAllocator.Refusal(verdict, "out of memory: " + numbers);
  }
}
