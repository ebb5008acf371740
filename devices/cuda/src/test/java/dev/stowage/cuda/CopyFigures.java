package dev.stowage.cuda;

import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The bandwidth of copies, as a ratio to that of calls of the driver with the same memory. */
final class CopyFigures {

  private static final int SMALL_BYTES = 4096;

  private final CudaDevice device;
  private final RawDriver driver;
  private final GpuScale scale;
  private final GpuTable large =
      new GpuTable("copies, GB/s", "ours / driver (above 1: ours is faster)");
  private final GpuTable small =
      new GpuTable("copies of 4 KiB, µs", "ours / driver (above 1: ours is slower)");

  CopyFigures(CudaDevice device, RawDriver driver, GpuScale scale) {
    this.device = device;
    this.driver = driver;
    this.scale = scale;
  }

  String measure() {
    long bytes = scale.copyBytes();
    long address = device.allocate(2 * bytes).orElseThrow();
    try (Arena arena = Arena.ofConfined();
        DeviceStream stream = device.openStream()) {
      MemorySegment pinned = device.allocateStaging(bytes, arena).fill((byte) 1);
      MemorySegment pageable = arena.allocate(bytes, 4096).fill((byte) 1);
      MemorySegment heap = MemorySegment.ofArray(new byte[scale.copyBytes()]);
      both("pinned", address, pinned, pinned);
      both("pageable", address, pageable, pageable);
      both("heap array (driver: pageable)", address, heap, pageable);
      queued(stream, "queued, pinned", address, pinned);
      queued(stream, "queued, pageable", address, pageable);
      addLarge(
          "device → device",
          bytes,
          () -> device.copy(address, address + bytes, bytes),
          () -> driver.copy(address, address + bytes, bytes));
      smallCopies("pinned", address, pinned.asSlice(0, SMALL_BYTES));
      smallCopies("pageable", address, pageable.asSlice(0, SMALL_BYTES));
    } finally {
      device.free(address, 2 * bytes);
    }
    return large.markdown() + "\n" + small.markdown();
  }

  private void both(String what, long address, MemorySegment ours, MemorySegment theirs) {
    addLarge(
        "host → device, " + what,
        ours.byteSize(),
        () -> device.copyFromHost(ours, address),
        () -> driver.copyFromHost(theirs, address));
    addLarge(
        "device → host, " + what,
        ours.byteSize(),
        () -> device.copyToHost(address, ours),
        () -> driver.copyToHost(address, theirs));
  }

  private void queued(DeviceStream stream, String what, long address, MemorySegment host) {
    addLarge(
        "host → device, " + what,
        host.byteSize(),
        () -> {
          stream.copyFromHost(host, address);
          stream.synchronize();
        },
        () -> {
          driver.copyFromHostAsync(host, address);
          driver.synchronize();
        });
    addLarge(
        "device → host, " + what,
        host.byteSize(),
        () -> {
          stream.copyToHost(address, host);
          stream.synchronize();
        },
        () -> {
          driver.copyToHostAsync(address, host);
          driver.synchronize();
        });
  }

  private void smallCopies(String what, long address, MemorySegment host) {
    addSmall(
        "host → device, " + what,
        () -> device.copyFromHost(host, address),
        () -> driver.copyFromHost(host, address));
    addSmall(
        "device → host, " + what,
        () -> device.copyToHost(address, host),
        () -> driver.copyToHost(address, host));
  }

  private void addLarge(String what, long bytes, Runnable ours, Runnable theirs) {
    Least least = Least.of(scale.rounds(), 1, ours, theirs);
    large.add(
        what,
        bytes / least.ourNanos(),
        bytes / least.driverNanos(),
        least.driverNanos() / least.ourNanos());
  }

  private void addSmall(String what, Runnable ours, Runnable theirs) {
    Least least = Least.of(scale.rounds(), scale.liveCount(), ours, theirs);
    small.add(
        what,
        least.ourNanos() / 1_000,
        least.driverNanos() / 1_000,
        least.ourNanos() / least.driverNanos());
  }

  /** The times of the fastest rounds, for one operation. */
  private record Least(double ourNanos, double driverNanos) {

    /** {@return the fastest of some rounds, in turns, after one that does not count} */
    static Least of(int rounds, int times, Runnable ours, Runnable theirs) {
      nanos(times, ours);
      nanos(times, theirs);
      double ourNanos = Double.MAX_VALUE;
      double driverNanos = Double.MAX_VALUE;
      for (int i = 0; i < rounds; i++) {
        ourNanos = Math.min(ourNanos, nanos(times, ours));
        driverNanos = Math.min(driverNanos, nanos(times, theirs));
      }
      return new Least(ourNanos, driverNanos);
    }

    private static double nanos(int times, Runnable action) {
      long start = System.nanoTime();
      for (int i = 0; i < times; i++) {
        action.run();
      }
      return (double) (System.nanoTime() - start) / times;
    }
  }
}
