package dev.stowage.jmx;

import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.MonitoredAllocator;
import dev.stowage.trace.AllocatorSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The management bean of an allocator. */
final class AllocatorBean implements AllocatorMXBean {

  private final MonitoredAllocator allocator;

  AllocatorBean(MonitoredAllocator allocator) {
    this.allocator = allocator;
  }

  @Override
  public String getName() {
    return allocator.name();
  }

  @Override
  public long getBytesInUse() {
    return allocator.statistics().bytesInUse();
  }

  @Override
  public long getRequestedBytesInUse() {
    return allocator.statistics().requestedBytesInUse();
  }

  @Override
  public long getPeakBytesInUse() {
    return allocator.statistics().peakBytesInUse();
  }

  @Override
  public long getReservedBytes() {
    return allocator.statistics().reservedBytes();
  }

  @Override
  public long getPeakReservedBytes() {
    return allocator.statistics().peakReservedBytes();
  }

  @Override
  public long getLimitBytes() {
    return allocator.statistics().limitBytes();
  }

  @Override
  public long getFreeBytes() {
    return allocator.statistics().freeBytes();
  }

  @Override
  public long getLargestFreeChunkBytes() {
    return allocator.statistics().largestFreeChunkBytes();
  }

  @Override
  public double getExternalFragmentation() {
    return allocator.statistics().externalFragmentation();
  }

  @Override
  public double getInternalFragmentation() {
    return allocator.statistics().internalFragmentation();
  }

  @Override
  public long getChunksInUse() {
    return allocator.statistics().chunksInUse();
  }

  @Override
  public long getAllocations() {
    return allocator.statistics().allocations();
  }

  @Override
  public long getFailedRequests() {
    return allocator.failedRequests();
  }

  @Override
  public List<AllocatorReport.Holder> topHolders(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: count=" + count);
    }
    return allocator.report().holders().stream().limit(count).toList();
  }

  @Override
  public String report() {
    return allocator.report().toString();
  }

  @Override
  public long trim() {
    return allocator.trim().bytes();
  }

  @Override
  public void writeSnapshot(String file) throws IOException {
    AllocatorSnapshot.write(Path.of(file), allocator.chunks());
  }
}
