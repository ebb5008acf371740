package dev.stowage.trace.replay;

import dev.stowage.allocator.OutOfMemoryNumbers;
import dev.stowage.allocator.OutOfMemoryNumbers.Quantity;
import java.util.Locale;
import java.util.OptionalLong;

/** The reason for which PyTorch's allocator refuses a request. */
final class PytorchRefusal {

  /** PyTorch rejects requests of this many bytes or more. */
  static final long REJECTED_BYTES = 1L << 60;

  private static final String LATE_HOLE =
      " A free of another stream ended during the retry. This version of PyTorch does not search"
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
    long blockBytes = settings.blockBytes(Math.min(bytes, REJECTED_BYTES));
    long reservedBytes = allocator.reservedBytes();
    String text =
        String.format(
            Locale.ROOT,
            "requested %d bytes on stream %d, %s. Of the limit of %d bytes, %d are reserved. %d bytes are in"
                + " use and %d are cached, at most %d of them in one block.%s",
            bytes,
            stream,
            need(bytes, blockBytes, settings),
            limit.bytes(),
            reservedBytes,
            allocator.bytesInUse(),
            reservedBytes - allocator.bytesInUse(),
            allocator.largestFreeBytes(),
            limit.holeBytes().isPresent() ? LATE_HOLE : "");
    OutOfMemoryNumbers numbers = Refusals.numbers(allocator, bytes, blockBytes, limit.bytes());
    if (limit.holeBytes().isPresent()) {
      numbers = numbers.with(Quantity.LARGEST_HOLE, limit.holeBytes().getAsLong());
    }
    return Refusals.of(limit.isOfProgram() ? numbers.withProgramLimit() : numbers, text);
  }

  private static String need(long bytes, long blockBytes, PytorchSettings settings) {
    return bytes >= REJECTED_BYTES
        ? String.format(Locale.ROOT, "PyTorch rejects requests from %d bytes on", REJECTED_BYTES)
        : String.format(
            Locale.ROOT,
            "which needs a block of %d and a segment of %d bytes",
            blockBytes,
            SegmentSizes.of(settings, blockBytes));
  }
}
