package dev.stowage.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** The bandwidth of copies of heap arrays, as a ratio to the driver's with pageable memory. */
final class HeapCopyFigures {

  /** The bytes of a round, which repeats smaller copies. */
  private static final int ROUND_BYTES = 64 << 20;

  private static final int[] SIZES = {64 << 10, 1 << 20, 16 << 20, 256 << 20, 1 << 30};

  private final CudaDevice device;
  private final RawDriver driver;
  private final GpuScale scale;
  private final GpuTable table =
      new GpuTable(
          "heap arrays (driver: pageable memory), GB/s", "ours / driver (above 1: ours is faster)");

  HeapCopyFigures(CudaDevice device, RawDriver driver, GpuScale scale) {
    this.device = device;
    this.driver = driver;
    this.scale = scale;
  }

  String measure() {
    for (int bytes : SIZES) {
      measure(Math.min(bytes, 4 * scale.copyBytes()));
    }
    return table.markdown();
  }

  private void measure(int bytes) {
    long address = device.allocate(bytes).orElseThrow();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment heap = MemorySegment.ofArray(new byte[bytes]).fill((byte) 1);
      MemorySegment pageable = arena.allocate(bytes, 4096).fill((byte) 1);
      add(
          "host → device",
          bytes,
          () -> device.copyFromHost(heap, address),
          () -> driver.copyFromHost(pageable, address));
      add(
          "device → host",
          bytes,
          () -> device.copyToHost(address, heap),
          () -> driver.copyToHost(address, pageable));
    } finally {
      device.free(address, bytes);
    }
  }

  private void add(String direction, int bytes, Runnable ours, Runnable theirs) {
    GpuTimes times = GpuTimes.of(scale.rounds(), Math.max(1, ROUND_BYTES / bytes), ours, theirs);
    table.add(
        String.format(Locale.ROOT, "%s, %,d KiB", direction, bytes >> 10),
        bytes / times.ourNanos(),
        bytes / times.driverNanos(),
        times.driverNanos() / times.ourNanos());
  }
}
