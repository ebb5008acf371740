package dev.stowage.cuda;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/**
 * The time of a pair, to free a random block and allocate another of another size: 256 B to 1 MiB,
 * log-uniform; and the time of a region.
 */
final class PairFigures {

  private static final int MAX_SIZES = 1 << 12;

  private final CudaDevice fixed;
  private final CudaDevice expandable;
  private final RawDriver driver;
  private final GpuScale scale;

  PairFigures(CudaDevice fixed, CudaDevice expandable, RawDriver driver, GpuScale scale) {
    this.fixed = fixed;
    this.expandable = expandable;
    this.driver = driver;
    this.scale = scale;
  }

  String measure() {
    double alloc = nanos(scale.driverPairCount(), driver::allocate, driver::free);
    double async = nanos(scale.driverPairCount(), driver::allocateAsync, driver::freeAsync);
    driver.synchronize();
    double doubling = bfcNanos(fixed, BfcOptions.growing());
    double expanding = bfcNanos(expandable, BfcOptions.expandable());
    GpuTable pairs = new GpuTable("a pair, ns", "driver / ours");
    pairs.add("BFC, doubling regions; cuMemAlloc, cuMemFree", doubling, alloc, alloc / doubling);
    pairs.add("… cuMemAllocAsync, cuMemFreeAsync", doubling, async, async / doubling);
    pairs.add("BFC, expandable region; cuMemAlloc, cuMemFree", expanding, alloc, alloc / expanding);
    pairs.add("… cuMemAllocAsync, cuMemFreeAsync", expanding, async, async / expanding);
    return pairs.markdown() + "\n" + regions();
  }

  private String regions() {
    GpuTable regions = new GpuTable("a region and its end, ms", "driver / ours");
    long bytes = scale.regionBytes();
    double theirs = millis(() -> driver.free(driver.allocate(bytes)));
    addRegion(regions, "fixed", fixed, theirs);
    addRegion(
        regions,
        "expandable, granules of " + expandable.granularityBytes() + " bytes",
        expandable,
        theirs);
    return regions.markdown();
  }

  private void addRegion(GpuTable table, String what, CudaDevice device, double theirs) {
    long bytes = scale.regionBytes();
    double ours = millis(() -> device.free(device.allocate(bytes).orElseThrow(), bytes));
    table.add("%s, %s bytes".formatted(what, bytes), ours, theirs, theirs / ours);
  }

  private double millis(Runnable action) {
    double[] millis = new double[scale.rounds()];
    for (int i = 0; i < millis.length; i++) {
      long start = System.nanoTime();
      action.run();
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    return GpuTimes.median(millis);
  }

  private double bfcNanos(CudaDevice device, BfcOptions options) {
    try (BfcAllocator allocator = new BfcAllocator("pairs", device, options)) {
      return nanos(scale.pairCount(), allocator::allocate, allocator::free);
    }
  }

  /** {@return the time of a pair, the median of some rounds} */
  private double nanos(int count, LongUnaryOperator allocate, LongConsumer free) {
    Random random = new Random(4711);
    long[] bytes =
        random
            .doubles(MAX_SIZES)
            .mapToLong(power -> (long) (256 * Math.pow(4096, power)))
            .toArray();
    int[] victims = random.ints(MAX_SIZES + 1, 0, scale.liveCount()).toArray();
    long[] live = new long[scale.liveCount()];
    for (int i = 0; i < live.length; i++) {
      live[i] = allocate.applyAsLong(bytes[i % bytes.length]);
    }
    double[] nanos = new double[scale.rounds()];
    for (int round = 0; round < nanos.length; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < count; i++) {
        int victim = victims[i % victims.length];
        free.accept(live[victim]);
        live[victim] = allocate.applyAsLong(bytes[i % bytes.length]);
      }
      nanos[round] = (double) (System.nanoTime() - start) / count;
    }
    for (long address : live) {
      free.accept(address);
    }
    return GpuTimes.median(nanos);
  }
}
