package dev.stowage.onnxbudget.memory;

/**
 * The sizes of packed copies of 8-bit and 4-bit weights, by the kernels of ONNX Runtime 1.29.
 *
 * <p>A packed 8-bit matrix has a sum of 4 bytes for each column. Its columns are rounded up to a
 * multiple of 16. Its rows are rounded up to a multiple that depends on the processor. The kernels
 * of processors without AVX2 read weights as they are.
 *
 * @param cpu the processor
 */
record QuantizedPacking(CpuClass cpu) {

  private static final int COLUMN_MULTIPLE = 16;
  private static final int SUM_BYTES = 4;
  private static final int UNSIGNED_ROWS = 2;
  private static final int SIGNED_ROWS = 4;
  private static final int SIGNED_ROWS_OF_TILES = 64;
  private static final int ROWS_ON_ARM = 8;
  private static final int ALIGNMENT_BYTES = 64;

  /** The channels of an input that a symmetric convolution reads at a time. */
  private static final int SYMMETRIC_INPUTS = 4;

  private static final int LEAST_INPUTS_ON_ARM = 64;
  private static final int GROUP_MULTIPLE_ON_ARM = 8;
  private static final int SMALLEST_BITS = 4;
  private static final int BITS_OF_A_BYTE = 8;

  /**
   * {@return the bytes of a packed matrix; 0 if the kernel does not pack it}
   *
   * @param isSigned true if the weights are signed
   */
  long matrixBytes(long rows, long columns, boolean isSigned) {
    if (cpu == CpuClass.BASELINE) {
      return 0;
    }
    long width = rounded(columns, COLUMN_MULTIPLE);
    long depth = rounded(rows, rowMultiple(isSigned));
    return rounded(width * (SUM_BYTES + depth), ALIGNMENT_BYTES);
  }

  private int rowMultiple(boolean isSigned) {
    return switch (cpu) {
      case ARM64 -> ROWS_ON_ARM;
      case AMX -> isSigned ? SIGNED_ROWS_OF_TILES : UNSIGNED_ROWS;
      default -> isSigned ? SIGNED_ROWS : UNSIGNED_ROWS;
    };
  }

  /**
   * {@return the bytes of the packed weights of a convolution of unsigned inputs whose signed
   * weights have zero points of 0; 0 if there is no such kernel}
   *
   * @param inputs the input channels of a group
   * @param outputs the output channels of a group
   * @param window the number of elements of the window
   */
  long symmetricBytes(long groups, long inputs, long outputs, long window) {
    if (cpu == CpuClass.BASELINE) {
      return 0;
    }
    boolean isArm = cpu == CpuClass.ARM64;
    if (groups > 1) {
      int multiple = isArm ? GROUP_MULTIPLE_ON_ARM : COLUMN_MULTIPLE;
      return inputs == 1 && outputs == 1 && groups % multiple == 0 ? groups * window : 0;
    }
    boolean isWorthwhile = !isArm || (window > 1 && inputs >= LEAST_INPUTS_ON_ARM);
    return isWorthwhile
            && inputs % SYMMETRIC_INPUTS == 0
            && outputs >= COLUMN_MULTIPLE
            && outputs % symmetricOutputs() == 0
        ? rounded(outputs, COLUMN_MULTIPLE) * inputs * window
        : 0;
  }

  /** {@return the multiple of the channels that a symmetric convolution computes} */
  private int symmetricOutputs() {
    return switch (cpu) {
      case BASELINE, AVX2 -> 8;
      case AVX512, AVX512_VNNI, AMX -> 4;
      case ARM64 -> 16;
    };
  }

  /**
   * {@return the bytes of packed weights in blocks with a scale for each block; 0 if the kernel
   * does not pack them}
   *
   * <p>Weights of 2 bits, which some processors pack, are not predicted.
   *
   * @param bits the bits of a weight
   * @param blockElements the weights of a block
   * @param isInteger true if the kernel multiplies integers
   */
  long blockBytes(long rows, long columns, long bits, long blockElements, boolean isInteger) {
    if (bits < SMALLEST_BITS || cpu == CpuClass.BASELINE) {
      return 0;
    }
    long blocks = Math.ceilDiv(rows, blockElements);
    long weights = columns * blocks * Math.ceilDiv(blockElements * bits, BITS_OF_A_BYTE);
    if (!isInteger) {
      return bits < BITS_OF_A_BYTE ? weights : 0;
    }
    long scales = columns * blocks * Float.BYTES;
    long sums = rounded(columns, COLUMN_MULTIPLE) * blocks * Float.BYTES;
    return weights + scales + sums + 2 * (ALIGNMENT_BYTES - 1);
  }

  private static long rounded(long value, long multiple) {
    return Math.ceilDiv(value, multiple) * multiple;
  }
}
