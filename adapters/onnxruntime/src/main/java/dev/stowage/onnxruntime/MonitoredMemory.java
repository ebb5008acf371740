package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.MonitoredAllocator;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.allocator.TrimResult;
import java.util.List;

/** The memory of sessions for metrics and management tools. */
final class MonitoredMemory implements MonitoredAllocator {

  private final EngineMemory memory;

  MonitoredMemory(EngineMemory memory) {
    this.memory = memory;
  }

  @Override
  public String name() {
    return memory.name();
  }

  @Override
  public AllocatorStatistics statistics() {
    return memory.statistics();
  }

  /** {@return the number of requests that the allocator refused} */
  @Override
  public long failedRequests() {
    return memory.refusals();
  }

  @Override
  public AllocatorReport report() {
    return memory.allocatorReport();
  }

  @Override
  public List<RegionChunks> chunks() {
    return memory.chunks();
  }

  @Override
  public TrimResult trim() {
    return memory.trim();
  }
}
