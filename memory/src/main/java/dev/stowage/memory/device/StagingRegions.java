package dev.stowage.memory.device;

import dev.stowage.allocator.SubAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** Regions of staging memory of a device; safe for use by many threads. */
final class StagingRegions implements SubAllocator {

  private static final long PAGE_BYTES = 4096;

  /** The alignment that allocators require; a driver may guarantee less. */
  private static final long ALIGNMENT_BYTES = 256;

  private final String deviceName;
  private final Source source;

  /** The regions by their addresses. */
  private final Map<Long, Region> regions = new HashMap<>();

  private record Region(long bytes, Arena arena) {}

  /** The staging memory of a device. */
  interface Source {
    MemorySegment allocate(long bytes, Arena arena);
  }

  StagingRegions(String deviceName, Source source) {
    this.deviceName = deviceName;
    this.source = source;
  }

  @Override
  public synchronized OptionalLong allocate(long bytes) {
    Arena arena = Arena.ofShared();
    try {
      MemorySegment memory = source.allocate(bytes + ALIGNMENT_BYTES, arena);
      long address = (memory.address() + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
      regions.put(address, new Region(bytes, arena));
      return OptionalLong.of(address);
    } catch (NoStagingException refused) {
      arena.close();
      return OptionalLong.empty();
    } catch (RuntimeException | Error failed) {
      arena.close();
      throw failed;
    }
  }

  @Override
  public synchronized void free(long address, long bytes) {
    Region region = regions.get(address);
    if (region == null || region.bytes() != bytes) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "device '%s' has no staging memory of %d bytes at 0x%x",
              deviceName,
              bytes,
              address));
    }
    if (region.arena().scope().isAlive()) { // otherwise, an earlier call of the driver has failed
      region.arena().close();
    }
    regions.remove(address);
  }

  /** {@return false: drivers do not resize pinned memory} */
  @Override
  public boolean canLengthen() {
    return false;
  }

  @Override
  public long granularityBytes() {
    return PAGE_BYTES;
  }
}
