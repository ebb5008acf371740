package dev.stowage.cuda;

import java.util.Locale;

/** Options for the regions of a CUDA device. */
public final class CudaOptions {

  private final long reservedBytes;
  private final boolean isUnified;

  private CudaOptions(long reservedBytes, boolean isUnified) {
    this.reservedBytes = reservedBytes;
    this.isUnified = isUnified;
  }

  /** {@return regions of constant size, for every device} */
  public static CudaOptions fixed() {
    return new CudaOptions(0, false);
  }

  /**
   * {@return regions of unified memory, which the host and kernels access at the same addresses}
   *
   * <p>The driver moves pages between the host and the GPU when one of them accesses them. All
   * regions together can exceed the memory of the GPU. Regions never grow. GPUs before compute
   * capability 6.0 and some systems do not support accesses of the host while a kernel runs; a
   * device cannot be opened with these options there.
   */
  public static CudaOptions unified() {
    return new CudaOptions(0, true);
  }

  /** {@return regions that can grow to all memory of the device} */
  public static CudaOptions expandable() {
    return expandable(Long.MAX_VALUE);
  }

  /**
   * {@return regions that can grow, by the smallest granules of the device}
   *
   * <p>A region that grows by n granules gets about log2(n) mappings. Each takes the driver some
   * microseconds.
   *
   * @param reservedBytes the most addresses that a region reserves. Addresses take no memory; a
   *     region reserves no more than the device has memory
   * @throws IllegalArgumentException if {@code reservedBytes < 0}
   */
  public static CudaOptions expandable(long reservedBytes) {
    if (reservedBytes < 0) {
      throw new IllegalArgumentException(
          "reservedBytes must not be negative: reservedBytes=" + reservedBytes);
    }
    return new CudaOptions(reservedBytes, false);
  }

  /** {@return the most addresses of a region; 0 if regions never grow} */
  public long reservedBytes() {
    return reservedBytes;
  }

  /** {@return true if regions are unified memory} */
  public boolean isUnified() {
    return isUnified;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "CudaOptions[reservedBytes=%d, unified=%s]", reservedBytes, isUnified);
  }
}
