package dev.stowage.cuda;

/**
 * How much is measured.
 *
 * @param copyBytes the bytes of a large copy; the largest arrays have four times as many
 * @param regionBytes the bytes of a large region
 * @param rounds how often each thing is done; the median counts
 * @param liveCount the number of live blocks while pairs are measured
 * @param pairCount the number of pairs of the allocator in a round
 * @param driverPairCount the number of pairs of the driver in a round
 */
record GpuScale(
    int copyBytes,
    long regionBytes,
    int rounds,
    int liveCount,
    int pairCount,
    int driverPairCount) {

  /** {@return a scale that takes a GPU about a minute} */
  static GpuScale full() {
    return new GpuScale(256 << 20, 1L << 30, 9, 1_000, 1_000_000, 10_000);
  }

  /** {@return a scale that runs everything with meaningless results} */
  static GpuScale smoke() {
    return new GpuScale(1 << 20, 4 << 20, 2, 10, 100, 20);
  }
}
