package dev.stowage.onnxruntime;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.ForwardingSubAllocator;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.memory.device.Device;
import java.util.Optional;

/**
 * The sources of the memory of sessions.
 *
 * @param regions provides the regions of the allocator
 * @param overflow provides memory for requests that the allocator refuses
 * @param order the streams with queued work on freed memory; empty for memory of the host, because
 *     ONNX Runtime frees it after its last use
 */
record EngineRegions(SubAllocator regions, SubAllocator overflow, Optional<StreamOrder> order) {

  /** {@return regions of the host} */
  static EngineRegions ofHost(SubAllocator regions) {
    return new EngineRegions(regions, new MallocedMemory(), Optional.empty());
  }

  /** {@return regions of a device} */
  static EngineRegions ofDevice(Device device, BfcOptions options) {
    return ofDevice(device, options, new StreamOrder(device::synchronize));
  }

  /** {@return regions of a device with an order of its streams} */
  static EngineRegions ofDevice(Device device, BfcOptions options, StreamOrder order) {
    return new EngineRegions(
        new OrderedRegions(device.newSubAllocator(options), order),
        new OrderedRegions(device, order),
        Optional.of(order));
  }

  /** {@return regions of pinned memory of the host} */
  static EngineRegions ofStaging(Device device) {
    SubAllocator staging = device.newStagingSubAllocator();
    return new EngineRegions(staging, staging, Optional.empty());
  }

  /** Regions that end after all work on them has completed. */
  private static final class OrderedRegions extends ForwardingSubAllocator {

    private final StreamOrder order;

    OrderedRegions(SubAllocator regions, StreamOrder order) {
      super(regions);
      this.order = order;
    }

    @Override
    public void free(long address, long bytes) {
      order.synchronizeDevice();
      super.free(address, bytes);
    }

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      if (newBytes < bytes) {
        order.synchronizeDevice();
      }
      return super.resize(address, bytes, newBytes);
    }
  }
}
