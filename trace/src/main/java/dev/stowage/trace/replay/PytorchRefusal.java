package dev.stowage.trace.replay;

import java.util.Locale;

/** The reason for which PyTorch's allocator refuses a request. */
final class PytorchRefusal {

  /** PyTorch rejects requests of this many bytes or more. */
  static final long REJECTED_BYTES = 1L << 60;

  private PytorchRefusal() {}

  /**
   * {@return the reason}
   *
   * @param allocator the allocator
   * @param settings its settings at this point
   * @param bytes the requested bytes
   * @param stream the stream of the request
   * @param limitBytes the most bytes that the allocator may hold
   */
  static SimulatedAllocator.Refusal of(
      SimulatedAllocator allocator,
      PytorchSettings settings,
      long bytes,
      long stream,
      long limitBytes) {
    long blockBytes = settings.blockBytes(Math.min(bytes, REJECTED_BYTES));
    long reservedBytes = allocator.reservedBytes();
    String numbers =
        String.format(
            Locale.ROOT,
            "requested %d bytes on stream %d, %s. Of the limit of %d bytes, %d are reserved. %d bytes are in"
                + " use and %d are cached, at most %d of them in one block.",
            bytes,
            stream,
            need(bytes, blockBytes, settings),
            limitBytes,
            reservedBytes,
            allocator.bytesInUse(),
            reservedBytes - allocator.bytesInUse(),
            allocator.largestFreeBytes());
    return Refusals.of(allocator, bytes, blockBytes, limitBytes, numbers);
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
