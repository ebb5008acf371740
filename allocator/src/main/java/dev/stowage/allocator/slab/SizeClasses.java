package dev.stowage.allocator.slab;

/** The sizes of slots: multiples of 16 bytes up to 128, then four for each doubling. */
final class SizeClasses {

  /** The largest slot. A larger request takes a chunk. */
  static final int MAX_BYTES = 4096;

  /** The alignment of every slot. */
  static final int ALIGNMENT_BYTES = 16;

  /** The alignment of every chunk, and so of every slab. */
  static final int CHUNK_ALIGNMENT_BYTES = 256;

  static final int COUNT = 28;

  static final int NONE = -1;

  /** The number of classes that are multiples of 16. */
  private static final int LINEAR_COUNT = 8;

  /** The binary logarithm of the largest of them. */
  private static final int LINEAR_EXPONENT = 7;

  private SizeClasses() {}

  /**
   * {@return the class of the smallest slots that hold a request, or {@link #NONE}}
   *
   * @param bytes the size of the request, at least 1
   * @param alignment a power of two; each slot of the class is at a multiple of it
   */
  static int of(long bytes, long alignment) {
    if (alignment <= ALIGNMENT_BYTES) {
      return bytes <= MAX_BYTES ? of((int) bytes) : NONE;
    }
    return Math.max(bytes, alignment) <= MAX_BYTES ? aligned((int) bytes, alignment) : NONE;
  }

  private static int aligned(int bytes, long alignment) {
    if (alignment > CHUNK_ALIGNMENT_BYTES) {
      return NONE;
    }
    int sizeClass = of((int) Math.max(bytes, alignment));
    while (bytes(sizeClass) % alignment != 0) {
      sizeClass++; // the last class is a multiple of 256
    }
    return sizeClass;
  }

  private static int of(int bytes) {
    int last = bytes - 1;
    if (last < 1 << LINEAR_EXPONENT) {
      return last >>> 4;
    }
    int exponent = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(last);
    int quarter = last >>> (exponent - 2) & 3;
    return LINEAR_COUNT + 4 * (exponent - LINEAR_EXPONENT) + quarter;
  }

  /** {@return the bytes of the slots of a class} */
  static int bytes(int sizeClass) {
    if (sizeClass < LINEAR_COUNT) {
      return (sizeClass + 1) << 4;
    }
    int exponent = LINEAR_EXPONENT + (sizeClass - LINEAR_COUNT) / 4;
    int quarters = 5 + (sizeClass - LINEAR_COUNT) % 4;
    return quarters << (exponent - 2);
  }
}
