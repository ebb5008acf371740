package dev.stowage.cuda.standin;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.cuda.standin.Extent.Allocation;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The functions of allocations and of pinned memory. */
final class MemoryFunctions {

  private static final long ALIGNMENT_BYTES = 512;
  private static final int ATTACH_GLOBAL = 1;
  private static final int HIGHEST_HOST_FLAGS = 7;
  private static final long MAX_HOST_BYTES = 1L << 40;

  private final Gpus gpus;
  private final Streams streams;
  private final AddressSpace addresses;
  private final Map<Long, MemorySegment> pinned = new HashMap<>();

  MemoryFunctions(Gpus gpus, Streams streams, AddressSpace addresses) {
    this.gpus = gpus;
    this.streams = streams;
    this.addresses = addresses;
  }

  long pinnedCount() {
    return pinned.size();
  }

  void cuMemGetInfo_v2(MemorySegment availableBytes, MemorySegment totalBytes) {
    Gpu gpu = gpus.current();
    availableBytes.set(JAVA_LONG, 0, gpu.availableBytes());
    totalBytes.set(JAVA_LONG, 0, gpu.totalBytes());
  }

  // Memory of a device.

  void cuMemAlloc_v2(MemorySegment address, long bytes) {
    allocate(address, bytes, gpus.current());
  }

  void cuMemAllocAsync(MemorySegment address, long bytes, long stream) {
    allocate(address, bytes, streams.get(gpus.current(), stream).gpu());
  }

  private void allocate(MemorySegment address, long bytes, Gpu gpu) {
    Result.INVALID_VALUE.unless(bytes != 0);
    MemorySegment memory = gpu.allocate(bytes, gpu.totalBytes());
    long start = addresses.newAddress(bytes, ALIGNMENT_BYTES); // neighbours touch
    addresses.add(new Allocation(gpu, start, bytes, memory));
    address.set(JAVA_LONG, 0, start);
  }

  /** Allocates memory of the host, up to twice the memory of the device. */
  void cuMemAllocManaged(MemorySegment address, long bytes, int flags) {
    Gpu gpu = gpus.current();
    Result.INVALID_VALUE.unless(bytes != 0 && flags == ATTACH_GLOBAL);
    MemorySegment memory = gpu.allocate(bytes, 2 * gpu.totalBytes());
    addresses.add(new Allocation(gpu, memory.address(), bytes, memory));
    address.set(JAVA_LONG, 0, memory.address());
  }

  void cuMemFree_v2(long address) {
    streams.finish(gpus.current()).orThrow();
    free(address);
  }

  void cuMemFreeAsync(long address, long stream) {
    streams.get(gpus.current(), stream).finish().orThrow();
    free(address);
  }

  private void free(long address) {
    Allocation allocation =
        addresses.find(Allocation.class, address).orElseThrow(Result.INVALID_VALUE::failure);
    addresses.remove(allocation);
    allocation.gpu().free(allocation.memory());
  }

  // Pinned memory.

  void cuMemHostAlloc(MemorySegment address, long bytes, int flags) {
    gpus.current();
    Result.INVALID_VALUE.unless(bytes != 0 && flags >= 0 && flags <= HIGHEST_HOST_FLAGS);
    Result.OUT_OF_MEMORY.unless(bytes > 0 && bytes <= MAX_HOST_BYTES);
    MemorySegment memory = CLibrary.allocate(bytes);
    pinned.put(memory.address(), memory);
    address.set(ADDRESS, 0, memory);
  }

  void cuMemFreeHost(MemorySegment address) {
    Gpu gpu = gpus.current();
    MemorySegment memory =
        Optional.ofNullable(pinned.remove(address.address()))
            .orElseThrow(Result.INVALID_VALUE::failure);
    Result result = streams.finish(gpu);
    CLibrary.free(memory);
    result.orThrow();
  }
}
