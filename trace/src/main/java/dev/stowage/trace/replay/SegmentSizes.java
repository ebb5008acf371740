package dev.stowage.trace.replay;

import static dev.stowage.trace.replay.PytorchSettings.MIB;

/** The sizes of PyTorch's segments. */
public final class SegmentSizes {

  /** The bytes of a segment for small blocks. */
  static final long SMALL = 2 * MIB;

  /** PyTorch rejects requests of this many bytes or more. */
  static final long REJECTED_BYTES = 1L << 60;

  private static final long LARGEST_SMALL_BLOCK = MIB;
  private static final long LEAST_OWN_SEGMENT = 10 * MIB;
  private static final long UNIT = 2 * MIB;

  private SegmentSizes() {}

  /** {@return true if a block lies in a segment for small blocks} */
  static boolean isSmall(long blockBytes) {
    return blockBytes <= LARGEST_SMALL_BLOCK;
  }

  /**
   * {@return true if a new segment for a block has the size of the setting {@code
   * large_segment_size_mb}}
   *
   * @param blockBytes the bytes of the block
   */
  public static boolean isOfTheSetting(long blockBytes) {
    return !isSmall(blockBytes) && blockBytes < LEAST_OWN_SEGMENT;
  }

  /** {@return the bytes of a new segment for a block} */
  static long of(PytorchSettings settings, long blockBytes) {
    if (isSmall(blockBytes)) {
      return SMALL;
    }
    return isOfTheSetting(blockBytes)
        ? settings.largeSegmentBytes()
        : blockBytes + UNIT - 1 & -UNIT;
  }

  /** {@return the bytes by which an expandable segment grows} */
  static long page(PytorchSettings settings, boolean isSmall) {
    return isSmall ? SMALL : settings.largeSegmentBytes();
  }
}
