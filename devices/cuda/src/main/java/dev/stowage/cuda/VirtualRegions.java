package dev.stowage.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Regions of the virtual memory of the device. Their ends move within the reserved addresses. */
final class VirtualRegions implements CudaRegions {

  /*
   *   address                                     address + mappings.bytes()
   *   | 4 granules       | 2       | 1  | 1  |    reserved: an access is an error of the device    |
   *                        end of the region ^
   *
   * An end can move to every multiple of granularityBytes. The driver maps large and small sizes in
   * about the same time, but can only remove a mapping as a whole. Growth by n granules therefore
   * maps half of them, then half of the remaining ones, and so on: about log2(n) mappings. A
   * shrinking region removes its wholly free mappings. The mapping with the new end keeps its
   * memory, which the region uses first when it grows again. It has at most as many free granules
   * as the later mappings of the same growth had.
   *
   * If the driver refuses a mapping, the region tries smaller ones, down to a granule. The region
   * releases the handle of the memory after mapping it; the mapping then keeps the memory.
   *
   * To return all free memory, the region could replace the mapping with the end by smaller ones.
   * But work of other threads can use the other bytes of this mapping, and would fail while these
   * bytes have no memory.
   *
   * Removing a mapping does not wait for work that uses it, unlike cuMemFree. The calls here first wait
   * for all work of the device.
   */

  /** CUmemAllocationProp: type, handle types, location (type, id), two fields that stay 0. */
  private static final int PROPERTIES_BYTES = 32;

  /** CUmemAccessDesc: location (type, id), flags. */
  private static final int ACCESS_BYTES = 12;

  /** More addresses than a process has. */
  private static final long MAX_RESERVED_BYTES = 1L << 47;

  private static final int TYPE_PINNED = 1;
  private static final int LOCATION_DEVICE = 1;
  private static final int READ_WRITE = 3;
  private static final int SMALLEST_GRANULARITY = 0;

  private final CudaContext context;
  private final CudaDriver driver;
  private final long totalBytes;
  private final long wantedBytes;
  private final long granularityBytes;
  private final MemorySegment properties;
  private final MemorySegment access;

  /**
   * Creates regions of a device that has virtual memory.
   *
   * @param device the handle of the device
   * @param totalBytes the bytes of its memory
   * @throws DeviceException if a call of the driver fails
   */
  VirtualRegions(CudaContext context, int device, long totalBytes, CudaOptions options) {
    this.context = context;
    this.driver = context.driver();
    this.totalBytes = totalBytes;
    Arena arena = Arena.ofAuto();
    this.properties = arena.allocate(PROPERTIES_BYTES, Long.BYTES);
    properties.set(JAVA_INT, 0, TYPE_PINNED);
    properties.set(JAVA_INT, 8, LOCATION_DEVICE);
    properties.set(JAVA_INT, 12, device);
    this.access = arena.allocate(ACCESS_BYTES, Long.BYTES);
    access.set(JAVA_INT, 0, LOCATION_DEVICE);
    access.set(JAVA_INT, 4, device);
    access.set(JAVA_INT, 8, READ_WRITE);
    this.granularityBytes =
        context.result(
            () -> "cuMemGetAllocationGranularity",
            results ->
                driver.memGetAllocationGranularity(results, properties, SMALLEST_GRANULARITY));
    this.wantedBytes = Math.min(options.reservedBytes(), totalBytes);
  }

  @Override
  public long granularityBytes() {
    return granularityBytes;
  }

  @Override
  public Optional<CudaRegion> allocate(long bytes) {
    if (bytes > totalBytes) {
      return Optional.empty();
    }
    long reservedBytes = ceiling(Math.max(bytes, wantedBytes));
    OptionalLong address = reserveAddresses(reservedBytes);
    if (address.isEmpty() && reservedBytes > ceiling(bytes)) {
      reservedBytes = ceiling(bytes); // if there are too few addresses
      address = reserveAddresses(reservedBytes);
    }
    return address.isEmpty()
        ? Optional.empty()
        : mapped(new CudaRegion(address.getAsLong(), bytes, reservedBytes));
  }

  @Override
  public Optional<CudaRegion> reserve(long bytes, long maxBytes) {
    if (bytes > totalBytes || maxBytes > MAX_RESERVED_BYTES) {
      return Optional.empty();
    }
    OptionalLong address = reserveAddresses(ceiling(maxBytes));
    return address.isEmpty()
        ? Optional.empty()
        : mapped(new CudaRegion(address.getAsLong(), bytes, ceiling(maxBytes)));
  }

  /** Maps the memory of a region and {@return the region; empty if there is too little} */
  private Optional<CudaRegion> mapped(CudaRegion region) {
    try {
      if (grow(region, ceiling(region.bytes()))) {
        return Optional.of(region);
      }
      freeAddresses(region);
      return Optional.empty();
    } catch (DeviceException failed) {
      attempt(() -> remove(region), failed);
      throw failed;
    }
  }

  /** Removes all memory and the addresses of a region. */
  private void remove(CudaRegion region) {
    shrink(region, 0);
    freeAddresses(region);
  }

  /** Runs a removal after a failure, and adds the failure of the removal to it. */
  private static void attempt(Runnable removal, DeviceException failed) {
    try {
      removal.run();
    } catch (DeviceException alsoFailed) {
      failed.addSuppressed(alsoFailed);
    }
  }

  private OptionalLong reserveAddresses(long bytes) {
    return context.memory(
        () -> String.format(Locale.ROOT, "cuMemAddressReserve of %d bytes", bytes),
        results -> driver.memAddressReserve(results, bytes, granularityBytes, 0, 0));
  }

  private void freeAddresses(CudaRegion region) {
    context.call(
        () ->
            String.format(
                Locale.ROOT,
                "cuMemAddressFree of %d bytes at 0x%x",
                region.reservedBytes(),
                region.address()),
        results -> driver.memAddressFree(region.address(), region.reservedBytes()));
  }

  @Override
  public boolean resize(CudaRegion region, long newBytes) {
    if (newBytes > region.reservedBytes()) {
      return false;
    }
    long newMappedBytes = ceiling(newBytes);
    // An earlier failure can leave mappings without access rights.
    long keptBytes = Math.min(newMappedBytes, region.mappings().accessibleBytes());
    if (region.mappings().hasAnyFrom(keptBytes)) {
      removeOrRestore(region, () -> shrink(region, keptBytes));
    }
    return grow(region, newMappedBytes);
  }

  @Override
  public boolean canLengthen() {
    return true;
  }

  @Override
  public void free(CudaRegion region) {
    removeOrRestore(region, () -> remove(region));
  }

  /**
   * Waits for all work and removes memory of a region. If this fails, the method maps the lost
   * bytes again, because the caller still uses the region.
   */
  private void removeOrRestore(CudaRegion region, Runnable removal) {
    awaitAllWork();
    try {
      removal.run();
    } catch (DeviceException failed) {
      attempt(() -> restore(region), failed);
      throw failed;
    }
  }

  private void restore(CudaRegion region) {
    if (!grow(region, ceiling(region.bytes()))) {
      throw context.failure(
          () -> String.format(Locale.ROOT, "mapping region 0x%x again", region.address()),
          CudaDriver.OUT_OF_MEMORY);
    }
  }

  private void awaitAllWork() {
    context.call(() -> "cuCtxSynchronize", results -> driver.ctxSynchronize());
  }

  /** Maps memory at the end of a region and {@return true if there is enough} */
  private boolean grow(CudaRegion region, long newMappedBytes) {
    Mappings mappings = region.mappings();
    long oldMappedBytes = mappings.bytes();
    boolean grown;
    try {
      long largestBytes = Long.MAX_VALUE;
      while (largestBytes > 0 && mappings.bytes() < newMappedBytes) {
        long half = ceiling((newMappedBytes - mappings.bytes()) / 2);
        long bytes = Math.min(half, largestBytes);
        if (!map(region, bytes)) {
          largestBytes = bytes == granularityBytes ? 0 : ceiling(bytes / 2);
        }
      }
      grown = largestBytes > 0 && allow(region);
    } catch (DeviceException failed) {
      attempt(() -> shrink(region, oldMappedBytes), failed);
      throw failed;
    }
    if (!grown) {
      shrink(region, oldMappedBytes);
    }
    return grown;
  }

  /** Adds a mapping and {@return true if the device has the memory} */
  private boolean map(CudaRegion region, long bytes) {
    OptionalLong handle =
        context.memory(
            () -> String.format(Locale.ROOT, "cuMemCreate of %d bytes", bytes),
            results -> driver.memCreate(results, bytes, properties, 0));
    if (handle.isEmpty()) {
      return false;
    }
    long memory = handle.getAsLong();
    long end = region.address() + region.mappings().bytes();
    try {
      boolean mapped =
          context
              .memory(
                  () -> String.format(Locale.ROOT, "cuMemMap of %d bytes at 0x%x", bytes, end),
                  results -> driver.memMap(end, bytes, 0, memory, 0))
              .isPresent();
      if (mapped) {
        region.mappings().add(bytes);
      }
      release(memory);
      return mapped;
    } catch (DeviceException failed) {
      attempt(() -> release(memory), failed);
      throw failed;
    }
  }

  private void release(long memory) {
    context.call(() -> "cuMemRelease", results -> driver.memRelease(memory));
  }

  /** Makes new mappings accessible and {@return true if the device has the memory} */
  private boolean allow(CudaRegion region) {
    Mappings mappings = region.mappings();
    long start = region.address() + mappings.accessibleBytes();
    long bytes = mappings.bytes() - mappings.accessibleBytes();
    boolean allowed =
        bytes == 0
            || context
                .memory(
                    () ->
                        String.format(
                            Locale.ROOT, "cuMemSetAccess of %d bytes at 0x%x", bytes, start),
                    results -> driver.memSetAccess(start, bytes, access, 1))
                .isPresent();
    if (allowed) {
      mappings.becomeAccessible();
    }
    return allowed;
  }

  /** Removes the mappings that start at an offset or later, the last one first. */
  private void shrink(CudaRegion region, long offset) {
    Mappings mappings = region.mappings();
    while (mappings.hasAnyFrom(offset)) {
      long bytes = mappings.lastBytes();
      long start = region.address() + mappings.bytes() - bytes;
      context.call(
          () -> String.format(Locale.ROOT, "cuMemUnmap of %d bytes at 0x%x", bytes, start),
          results -> driver.memUnmap(start, bytes));
      mappings.removeLast();
    }
  }

  private long ceiling(long bytes) {
    return (bytes + granularityBytes - 1) & -granularityBytes;
  }
}
