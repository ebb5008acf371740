package dev.stowage.cuda;

import java.util.Locale;

/** The times in which an expandable region grows and shrinks. */
final class GrowthFigures {

  private final CudaDevice device;
  private final RawDriver driver;
  private final GpuScale scale;

  GrowthFigures(CudaDevice device, RawDriver driver, GpuScale scale) {
    this.device = device;
    this.driver = driver;
    this.scale = scale;
  }

  String measure() {
    long unitBytes = device.granularityBytes();
    long bytes = scale.regionBytes();
    long address = device.reserve(unitBytes, unitBytes + bytes).orElseThrow();
    double[] growth = new double[scale.rounds()];
    double[] shrinking = new double[scale.rounds()];
    double[] driverGrowth = new double[scale.rounds()];
    double[] driverShrinking = new double[scale.rounds()];
    try (RawDriver.Range range = driver.reserve(bytes, unitBytes)) {
      for (int i = -1; i < scale.rounds(); i++) {
        int round = Math.max(i, 0); // the first round does not count
        growth[round] = millis(() -> resize(address, unitBytes, unitBytes + bytes));
        shrinking[round] = millis(() -> resize(address, unitBytes + bytes, unitBytes));
        driverGrowth[round] = millis(range::map);
        driverShrinking[round] = millis(range::unmap);
      }
    } finally {
      device.free(address, unitBytes);
    }
    GpuTable table =
        new GpuTable(
            String.format(
                Locale.ROOT,
                "an expandable region, %,d MiB (driver: one mapping), ms",
                bytes >> 20),
            "ours / driver (above 1: ours is slower)");
    add(table, "growth", growth, driverGrowth);
    add(table, "shrinking", shrinking, driverShrinking);
    return table.markdown();
  }

  private static void add(GpuTable table, String what, double[] ours, double[] theirs) {
    double our = GpuTimes.median(ours);
    double their = GpuTimes.median(theirs);
    table.add(what, our, their, our / their);
  }

  private void resize(long address, long bytes, long newBytes) {
    if (!device.resize(address, bytes, newBytes)) {
      throw new AssertionError("the device has too little memory: bytes=" + newBytes);
    }
  }

  private static double millis(Runnable action) {
    long start = System.nanoTime();
    action.run();
    return (System.nanoTime() - start) / 1e6;
  }
}
