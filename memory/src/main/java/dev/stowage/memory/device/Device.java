package dev.stowage.memory.device;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.DeviceCapacity;
import dev.stowage.allocator.SubAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A memory with its own addresses: the machine's memory, a GPU's, or a simulated one.
 *
 * <p>A device provides regions, as any {@link SubAllocator}, and copies and fills ranges of them. A
 * range is given by its device address, which only the device can access. It lies within one
 * region; a range of no bytes can also be at the end of a region. The methods of this class have
 * completed when they return, and do not wait for queued work. A {@link DeviceStream} queues work.
 *
 * <p>Devices are safe for use by many threads.
 */
public interface Device extends SubAllocator, DeviceCapacity, AutoCloseable {

  /** {@return the name in messages} */
  String name();

  /** {@return the number of the GPU in CUDA; empty, as by default, for other devices} */
  default OptionalInt cudaOrdinal() {
    return OptionalInt.empty();
  }

  /** {@return the bytes of the memory} */
  @Override
  long totalBytes();

  /** {@return the bytes that are available now; other users may take them first} */
  @Override
  long availableBytes();

  /** {@return the alignment of regions: a power of two, at least 256} */
  @Override
  long alignmentBytes();

  /**
   * {@return the alignment of addresses that kernels require: a power of two, at least 256 and at
   * most {@link #alignmentBytes()}}
   *
   * <p>If regions are aligned to their granularity, such as pages, that alignment is not for
   * kernels, and the result is 256. If they are aligned to more, the alignment is for kernels.
   */
  default long kernelAlignmentBytes() {
    return alignmentBytes() > granularityBytes() ? alignmentBytes() : 256;
  }

  /**
   * {@return true if the host can access the addresses of regions}
   *
   * <p>Such a device can be the memory of a {@code MemoryPool}. By default, the host cannot.
   */
  default boolean isHostAddressable() {
    return false;
  }

  /**
   * {@return a sub-allocator of this device for an allocator}
   *
   * <p>By default, this is the device itself. A device can return another one to limit the
   * addresses that regions reserve, or to detect frees of regions by others.
   *
   * @param options the options of the allocator
   */
  default SubAllocator newSubAllocator(BfcOptions options) {
    return this;
  }

  /**
   * {@return the address of a new region, a multiple of {@link #alignmentBytes()}; empty if there
   * is too little memory}
   *
   * <p>The contents of the region are undefined.
   *
   * @param bytes the size, a multiple of {@link #granularityBytes()}
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if the device is closed
   * @throws DeviceException if a call of the driver fails for another reason than memory
   */
  @Override
  OptionalLong allocate(long bytes);

  /**
   * {@return the address of a new region with reserved addresses behind it; empty if there is too
   * little memory, there are too few addresses, or the device cannot lengthen regions}
   *
   * <p>Reserved addresses take no memory. {@link #resize} can lengthen the region up to {@code
   * maxBytes}, and fails only if there is too little memory. The contents of the region are
   * undefined. By default, devices cannot reserve addresses.
   *
   * @param bytes the size, a multiple of {@link #granularityBytes()}
   * @param maxBytes the size that the region can grow to, a multiple of {@link #granularityBytes()}
   * @throws IllegalArgumentException if {@code bytes < 1} or {@code maxBytes < bytes}
   * @throws IllegalStateException if the device is closed
   * @throws DeviceException if a call of the driver fails for another reason than memory
   */
  default OptionalLong reserve(long bytes, long maxBytes) {
    DeviceChecks.checkReservation(bytes, maxBytes);
    return OptionalLong.empty();
  }

  /**
   * Frees a region. The caller has waited for all work that uses it.
   *
   * @param address the address of the region
   * @param bytes the size of the region
   * @throws IllegalStateException if there is no such region; nothing changes
   * @throws DeviceException if a call of the driver fails; the region exists, with undefined
   *     contents, and can be used and freed again
   */
  @Override
  void free(long address, long bytes);

  /**
   * Moves the end of a region and returns true, or returns false and changes nothing. The caller
   * has waited for all work that uses the region.
   *
   * <p>The remaining bytes keep their contents; the contents of new bytes are undefined. A device
   * that cannot move the ends of regions always returns false.
   *
   * @param address the address of the region
   * @param bytes the size of the region
   * @param newBytes the new size, a multiple of {@link #granularityBytes()}
   * @throws IllegalArgumentException if {@code newBytes < 1}
   * @throws IllegalStateException if there is no such region
   * @throws DeviceException if a call of the driver fails for another reason than memory
   */
  @Override
  boolean resize(long address, long bytes, long newBytes);

  /**
   * Copies from the host.
   *
   * @param source the bytes to copy
   * @param address the start of the target
   * @throws IllegalArgumentException if the target does not lie within one region
   * @throws IllegalStateException if {@code source} has ended
   * @throws DeviceException if a call of the driver fails
   */
  void copyFromHost(MemorySegment source, long address);

  /**
   * Copies to the host.
   *
   * @param address the start of the source
   * @param target the target, which is filled
   * @throws IllegalArgumentException if the source does not lie within one region, or {@code
   *     target} is read-only
   * @throws IllegalStateException if {@code target} has ended
   * @throws DeviceException if a call of the driver fails
   */
  void copyToHost(long address, MemorySegment target);

  /**
   * Copies within the device.
   *
   * @param source the start of the source
   * @param target the start of the target, which does not overlap the source
   * @param bytes the size
   * @throws IllegalArgumentException if a range does not lie within one region, or the ranges
   *     overlap
   * @throws DeviceException if a call of the driver fails
   */
  void copy(long source, long target, long bytes);

  /**
   * {@return true if {@link #copyFrom} copies directly from a device, so that the bytes do not go
   * through host memory of the caller}
   *
   * <p>By default, a device copies directly only from itself.
   *
   * @param source the other device
   */
  @SuppressWarnings("ReferenceEquality") // a device is identified by its object
  default boolean canCopyFrom(Device source) {
    return source == this;
  }

  /**
   * Copies from another device.
   *
   * <p>By default, the bytes go through host memory, in pieces. A device that {@linkplain
   * #canCopyFrom can copy} from the other one copies directly.
   *
   * @param source the other device, or this one
   * @param sourceAddress the start of the source there
   * @param address the start of the target here
   * @param bytes the size
   * @throws IllegalArgumentException if a range does not lie within one region, or the ranges
   *     overlap
   * @throws NoStagingException if there is too little host memory
   * @throws DeviceException if a call of a driver fails; a part of the target may be copied
   */
  @SuppressWarnings("ReferenceEquality") // a device is identified by its object
  default void copyFrom(Device source, long sourceAddress, long address, long bytes) {
    if (source == this) {
      copy(sourceAddress, address, bytes);
    } else {
      CopyThroughHost.copy(source, sourceAddress, this, address, bytes);
    }
  }

  /**
   * Sets all bytes of a range.
   *
   * @param address the start of the range
   * @param bytes the size of the range
   * @param value the value of each byte
   * @throws IllegalArgumentException if the range does not lie within one region
   * @throws DeviceException if a call of the driver fails
   */
  void fill(long address, long bytes, byte value);

  /**
   * {@return true if a range lies within one region, and so can be copied and filled}
   *
   * @param address the start of the range
   * @param bytes the size of the range
   */
  boolean hasRange(long address, long bytes);

  /**
   * {@return host memory with the fastest copies from and to this device, pinned if the device has
   * pinned memory}
   *
   * <p>Its contents are undefined. It lives as long as its arena, even if the device is closed.
   *
   * @param bytes the size
   * @param arena the lifetime
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the device or the arena is closed
   * @throws NoStagingException if there is too little memory; the message has the available bytes
   * @throws DeviceException if a call of the driver fails for another reason
   */
  MemorySegment allocateStaging(long bytes, Arena arena);

  /**
   * {@return a sub-allocator of {@linkplain #allocateStaging staging memory} for an allocator}
   *
   * <p>Its regions keep their size. They can outlive the device.
   */
  default SubAllocator newStagingSubAllocator() {
    return new StagingRegions(name(), this::allocateStaging);
  }

  /**
   * Waits for all work queued so far to complete: in all streams of this device and, on a GPU, also
   * in streams of other libraries in the process.
   *
   * <p>This method does nothing if streams execute work at once. Streams still report the failures
   * of their work.
   *
   * @throws IllegalStateException if the device is closed and can have queued work
   * @throws DeviceException if a call of the driver fails
   */
  void synchronize();

  /**
   * {@return a new stream, with no work queued}
   *
   * @throws IllegalStateException if the device is closed
   * @throws DeviceException if a call of the driver fails
   */
  DeviceStream openStream();

  /**
   * Closes the device; has no effect if it is closed.
   *
   * @throws IllegalStateException if regions exist or streams are open; nothing changes
   */
  @Override
  void close();
}
