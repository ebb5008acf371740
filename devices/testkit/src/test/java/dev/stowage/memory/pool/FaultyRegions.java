package dev.stowage.memory.pool;

import dev.stowage.allocator.ForwardingSubAllocator;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.memory.device.DeviceException;
import java.util.OptionalLong;
import java.util.Random;

/** Regions that are refused or not taken back at random; called with the lock of an allocator. */
final class FaultyRegions extends ForwardingSubAllocator {

  private final Random random;
  private final PoolSoak.Counts counts;
  private final int refusals;
  private final int failures;
  private volatile boolean isFaulty = true;

  /**
   * @param refusals the number of refusals in 100 requests for memory
   * @param failures the number of exceptions in 100 calls that return memory
   */
  FaultyRegions(
      SubAllocator regions, Random random, PoolSoak.Counts counts, int refusals, int failures) {
    super(regions);
    this.random = random;
    this.counts = counts;
    this.refusals = refusals;
    this.failures = failures;
  }

  /** Ends the faults. */
  void repair() {
    isFaulty = false;
  }

  private boolean isRefused() {
    boolean refused = isFaulty && random.nextInt(100) < refusals;
    if (refused) {
      counts.count("refused regions");
    }
    return refused;
  }

  private void mayFail() {
    if (isFaulty && random.nextInt(100) < failures) {
      counts.count("regions not taken back");
      throw new DeviceException("free", 1, "INJECTED_FAILURE");
    }
  }

  @Override
  public OptionalLong allocate(long bytes) {
    return isRefused() ? OptionalLong.empty() : super.allocate(bytes);
  }

  @Override
  public void free(long address, long bytes) {
    mayFail();
    super.free(address, bytes);
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (newBytes < bytes) {
      mayFail();
    } else if (isRefused()) {
      return false;
    }
    return super.resize(address, bytes, newBytes);
  }
}
