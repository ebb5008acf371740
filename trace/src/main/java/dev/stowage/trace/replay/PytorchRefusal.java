package dev.stowage.trace.replay;

import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import java.util.Locale;
import java.util.OptionalLong;

/** The reason for which PyTorch's allocator refuses a request. */
final class PytorchRefusal {

  private static final String LATE_HOLE =
      " A free of another stream ended during the retry. PyTorch 2.13 does not search"
          + " free blocks again; a repeated request passes.";

  private PytorchRefusal() {}

  /**
   * The limit of a request that failed, and the memory that it may use.
   *
   * @param bytes the most bytes that the allocator may hold
   * @param isOfProgram true if the program set the limit, as a fraction of the device
   * @param holeBytes the free block that fits and came too late, if there is one
   */
  record Limit(long bytes, boolean isOfProgram, OptionalLong holeBytes) {}

  /**
   * {@return the reason}
   *
   * @param allocator the allocator
   * @param settings its settings at this point
   * @param bytes the requested bytes
   * @param stream the stream of the request
   * @param limit the limit
   */
  static SimulatedAllocator.Refusal of(
      SimulatedAllocator allocator,
      PytorchSettings settings,
      long bytes,
      long stream,
      Limit limit) {
    long blockBytes = settings.blockBytes(Math.min(bytes, SegmentSizes.REJECTED_BYTES));
    OutOfMemoryNumbers numbers = Refusals.numbers(allocator, bytes, blockBytes, limit.bytes());
    String text =
        String.format(
            Locale.ROOT,
            "%s requested on stream %d, %s%s",
            ByteCount.exact(bytes),
            stream,
            bytes >= SegmentSizes.REJECTED_BYTES
                ? "and PyTorch rejects requests from "
                    + ByteCount.text(SegmentSizes.REJECTED_BYTES)
                    + " on."
                : need(blockBytes, settings, numbers),
            limit.holeBytes().isPresent() ? LATE_HOLE : cached(allocator, blockBytes));
    if (limit.holeBytes().isPresent()) {
      numbers = numbers.with(Quantity.LARGEST_HOLE, limit.holeBytes().getAsLong());
    }
    return Refusals.of(limit.isOfProgram() ? numbers.withProgramLimit() : numbers, text);
  }

  private static String need(
      long blockBytes, PytorchSettings settings, OutOfMemoryNumbers numbers) {
    long segmentBytes = SegmentSizes.of(settings, blockBytes);
    return String.format(
        Locale.ROOT,
        "which needs a block of %s and a segment of %s.%s",
        ByteCount.text(blockBytes),
        ByteCount.text(segmentBytes),
        Refusals.permitted(numbers, segmentBytes));
  }

  private static String cached(SimulatedAllocator allocator, long blockBytes) {
    long largest = allocator.largestFreeBytes();
    return largest < blockBytes
        ? " The largest cached block has " + ByteCount.text(largest) + "."
        : " The request may use none of the cached blocks that are large enough.";
  }
}
