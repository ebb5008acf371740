package dev.stowage.cuda;

/**
 * How much is measured.
 *
 * @param copyBytes what a large copy copies
 * @param regionBytes what a large region has
 * @param rounds how often each thing is done; of copies the fastest counts, of pairs the median
 * @param liveCount how many blocks are live while pairs are measured
 * @param pairCount how many pairs of the allocator's a round has
 * @param driverPairCount how many pairs of the driver's
 */
record GpuScale(
    int copyBytes,
    long regionBytes,
    int rounds,
    int liveCount,
    int pairCount,
    int driverPairCount) {

  /** {@return what takes a GPU about a minute} */
  static GpuScale full() {
    return new GpuScale(256 << 20, 1L << 30, 15, 1_000, 1_000_000, 10_000);
  }

  /** {@return what measures nothing, but does all of it} */
  static GpuScale smoke() {
    return new GpuScale(1 << 20, 4 << 20, 2, 10, 100, 20);
  }
}
