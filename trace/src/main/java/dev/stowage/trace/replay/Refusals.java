package dev.stowage.trace.replay;

import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import java.util.Locale;

/** The numbers of requests that simulated allocators refuse. */
public final class Refusals {

  /** No device has as many bytes. */
  private static final long IMPOSSIBLE_BYTES = 1L << 60;

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
    } else if (blockBytes >= IMPOSSIBLE_BYTES) {
      numbers = numbers.with(Quantity.DEVICE_FREE, 0);
    }
    // If a larger block is free, the request may not use it, or its alignment is wrong.
    long largest = allocator.largestFreeBytes();
    return largest < blockBytes ? numbers.with(Quantity.LARGEST_HOLE, largest) : numbers;
  }

  /**
   * {@return the bytes that the limit still permits, as a sentence; empty without a limit}
   *
   * @param numbers the numbers with the limit
   * @param neededBytes the bytes that the request needs from the device
   */
  public static String permitted(OutOfMemoryNumbers numbers, long neededBytes) {
    long limit = get(numbers, Quantity.LIMIT);
    if (limit == Long.MAX_VALUE) {
      return "";
    }
    long permitted = Math.max(0, limit - reserved(numbers));
    return String.format(
        Locale.ROOT,
        " The limit permits %s more%s.",
        ByteCount.text(permitted),
        neededBytes > permitted ? ", " + ByteCount.text(neededBytes - permitted) + " too few" : "");
  }

  /**
   * {@return the refusal of a request}
   *
   * @param numbers the numbers that decide the verdict
   * @param text the request and the cause, as sentences; the numbers follow them
   */
  public static SimulatedAllocator.Refusal of(OutOfMemoryNumbers numbers, String text) {
    long limit = get(numbers, Quantity.LIMIT);
    return new SimulatedAllocator.Refusal(
        numbers.verdict(),
        numbers,
        String.format(
            Locale.ROOT,
            "out of memory: %s In use: %s; cached: %s; reserved: %s; limit: %s.",
            text,
            ByteCount.text(get(numbers, Quantity.IN_USE)),
            ByteCount.text(get(numbers, Quantity.CACHED)),
            ByteCount.text(reserved(numbers)),
            limit == Long.MAX_VALUE ? "none" : ByteCount.exact(limit)));
  }

  private static long reserved(OutOfMemoryNumbers numbers) {
    return get(numbers, Quantity.IN_USE) + get(numbers, Quantity.CACHED);
  }

  private static long get(OutOfMemoryNumbers numbers, Quantity quantity) {
    return numbers.get(quantity).orElse(Long.MAX_VALUE);
  }
}
