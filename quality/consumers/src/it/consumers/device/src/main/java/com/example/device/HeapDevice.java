package com.example.device;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.ImmediateStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A device with arrays of the Java heap as regions. Safe for use by many threads. */
public final class HeapDevice implements Device {

  /** The distance between the addresses of regions; an array is smaller. */
  private static final long REGION_DISTANCE = 1L << 32;

  private final long totalBytes;
  private final TreeMap<Long, byte[]> regions = new TreeMap<>();
  private long nextAddress = REGION_DISTANCE;
  private long heldBytes;
  private int streamCount;
  private boolean closed;

  /**
   * Creates a device without regions.
   *
   * @param totalBytes the bytes that all regions together can have
   */
  public HeapDevice(long totalBytes) {
    this.totalBytes = totalBytes;
  }

  @Override
  public String name() {
    return "heap";
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public synchronized long availableBytes() {
    return totalBytes - heldBytes;
  }

  @Override
  public long alignmentBytes() {
    return 256;
  }

  // Regions.

  @Override
  public synchronized OptionalLong allocate(long bytes) {
    DeviceChecks.checkRegionBytes(bytes);
    checkOpen();
    if (bytes > availableBytes() || bytes > Integer.MAX_VALUE - 8) {
      return OptionalLong.empty();
    }
    long address = nextAddress;
    regions.put(address, new byte[(int) bytes]);
    nextAddress += REGION_DISTANCE;
    heldBytes += bytes;
    return OptionalLong.of(address);
  }

  @Override
  public synchronized void free(long address, long bytes) {
    checkRegion(address, bytes);
    regions.remove(address);
    heldBytes -= bytes;
  }

  @Override
  public synchronized boolean resize(long address, long bytes, long newBytes) {
    DeviceChecks.checkRegionBytes(newBytes);
    checkRegion(address, bytes);
    if (newBytes - bytes > availableBytes() || newBytes > Integer.MAX_VALUE - 8) {
      return false;
    }
    regions.put(address, Arrays.copyOf(regions.get(address), (int) newBytes));
    heldBytes += newBytes - bytes;
    return true;
  }

  private void checkRegion(long address, long bytes) {
    byte[] region = regions.get(address);
    if (region == null || region.length != bytes) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "device 'heap' has no region of %d bytes at 0x%x", bytes, address));
    }
  }

  @Override
  public synchronized boolean hasRange(long address, long bytes) {
    Map.Entry<Long, byte[]> region = regions.floorEntry(address);
    if (region == null || bytes < 0) {
      return false;
    }
    long offset = address - region.getKey();
    return offset <= region.getValue().length && bytes <= region.getValue().length - offset;
  }

  private synchronized MemorySegment range(long address, long bytes) {
    if (!hasRange(address, bytes)) {
      throw DeviceChecks.noSuchRange(this, address, bytes);
    }
    Map.Entry<Long, byte[]> region = regions.floorEntry(address);
    return MemorySegment.ofArray(region.getValue()).asSlice(address - region.getKey(), bytes);
  }

  // Copies and fills.

  @Override
  public void copyFromHost(MemorySegment source, long address) {
    range(address, source.byteSize()).copyFrom(source);
  }

  @Override
  public void copyToHost(long address, MemorySegment target) {
    DeviceChecks.checkWritable(target);
    target.copyFrom(range(address, target.byteSize()));
  }

  @Override
  public void copy(long source, long target, long bytes) {
    DeviceChecks.checkDisjoint(source, target, bytes);
    MemorySegment copied = range(source, bytes);
    range(target, bytes).copyFrom(copied);
  }

  @Override
  public void fill(long address, long bytes, byte value) {
    range(address, bytes).fill(value);
  }

  @Override
  public MemorySegment allocateStaging(long bytes, Arena arena) {
    checkOpen();
    return DeviceChecks.allocateStaging(this, bytes, 64, arena);
  }

  // Streams, and the end.

  /** Does nothing: streams execute work at once. */
  @Override
  public void synchronize() {}

  @Override
  public synchronized DeviceStream openStream() {
    checkOpen();
    streamCount++;
    return new ImmediateStream(this, this::streamClosed);
  }

  synchronized void streamClosed() {
    streamCount--;
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedDevice(this);
    }
  }

  @Override
  public synchronized void close() {
    DeviceChecks.checkUnused(this, regions.size(), heldBytes, streamCount);
    closed = true;
  }
}
