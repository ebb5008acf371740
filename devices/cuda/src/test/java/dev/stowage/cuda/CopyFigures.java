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
      both("pinned", address, pinned);
      both("pageable", address, pageable);
      queued(stream, "queued, pinned", address, pinned);
      queued(stream, "queued, pageable", address, pageable);
      addLarge(
          "device → device",
          bytes,
          () -> device.copy(address, address + bytes, bytes),
          () -> driver.copy(address, address + bytes, bytes));
      addLarge(
          "device → device, queued",
          bytes,
          () -> {
            stream.copy(address, address + bytes, bytes);
            stream.synchronize();
          },
          () -> {
            driver.copyAsync(address, address + bytes, bytes);
            driver.synchronize();
          });
      smallCopies("pinned", address, pinned.asSlice(0, SMALL_BYTES));
      smallCopies("pageable", address, pageable.asSlice(0, SMALL_BYTES));
    } finally {
      device.free(address, 2 * bytes);
    }
    return large.markdown() + "\n" + small.markdown();
  }

  private void both(String what, long address, MemorySegment host) {
    addLarge(
        "host → device, " + what,
        host.byteSize(),
        () -> device.copyFromHost(host, address),
        () -> driver.copyFromHost(host, address));
    addLarge(
        "device → host, " + what,
        host.byteSize(),
        () -> device.copyToHost(address, host),
        () -> driver.copyToHost(address, host));
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
        "host → device, %s (driver: until the device has the bytes)".formatted(what),
        () -> device.copyFromHost(host, address),
        () -> {
          driver.copyFromHost(host, address);
          driver.synchronizeDefault();
        });
    addSmall(
        "device → host, " + what,
        () -> device.copyToHost(address, host),
        () -> driver.copyToHost(address, host));
  }

  private void addLarge(String what, long bytes, Runnable ours, Runnable theirs) {
    GpuTimes times = GpuTimes.of(scale.rounds(), 1, ours, theirs);
    large.add(
        what,
        bytes / times.ourNanos(),
        bytes / times.driverNanos(),
        times.driverNanos() / times.ourNanos());
  }

  private void addSmall(String what, Runnable ours, Runnable theirs) {
    GpuTimes times = GpuTimes.of(scale.rounds(), scale.liveCount(), ours, theirs);
    small.add(
        what,
        times.ourNanos() / 1_000,
        times.driverNanos() / 1_000,
        times.ourNanos() / times.driverNanos());
  }
}
