package dev.stowage.memory.device;

import dev.stowage.core.bfc.SubAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * A memory with addresses of its own: the machine's, a GPU's, or a simulated one.
 *
 * <p>It gives regions, as any {@link SubAllocator}, and copies and fills ranges of them; a range is
 * known by its device address, which only the device itself can follow, and lies within one region;
 * one of no bytes may lie at a region's end too. Methods of this class are done when they return,
 * and wait for nothing that is queued; a {@link DeviceStream} queues them.
 *
 * <p>Safe for use by many threads.
 */
public interface Device extends SubAllocator, AutoCloseable {

  /** {@return what messages call it} */
  String name();

  /** {@return how many bytes it has} */
  long totalBytes();

  /** {@return how many bytes could be had now; others may take them first} */
  long availableBytes();

  /** {@return what addresses of regions are multiples of: a power of two, at least 256} */
  @Override
  long alignmentBytes();

  /**
   * {@return what addresses that kernels are given are multiples of: a power of two, at least 256
   * and at most {@link #alignmentBytes()}}
   *
   * <p>Where regions lie at multiples of what they are made of, pages or granules, that says
   * nothing of kernels, and the answer is 256; where they lie at multiples of more, it is for
   * kernels.
   */
  default long kernelAlignmentBytes() {
    return alignmentBytes() > granularityBytes() ? alignmentBytes() : 256;
  }

  /**
   * {@return the address of a new region, a multiple of {@link #alignmentBytes()}; or empty if it
   * is refused}
   *
   * <p>Its contents are undefined.
   *
   * @param bytes how many bytes; a multiple of {@link #granularityBytes()}
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if the device is closed
   * @throws DeviceException if the driver's call fails for another reason than memory
   */
  @Override
  OptionalLong allocate(long bytes);

  /**
   * Takes back a region, on which no work is queued any more.
   *
   * @param address its address
   * @param bytes its size
   * @throws IllegalStateException if there is no such region; nothing changes
   * @throws DeviceException if the driver's call fails; the region is held still, with whatever
   *     contents, and can be used and freed again
   */
  @Override
  void free(long address, long bytes);

  /**
   * Moves the end of a region, on which no work is queued any more, and returns whether it did.
   *
   * <p>Bytes that it keeps keep their contents; those of new ones are undefined. What is refused
   * changes nothing; a device that cannot do it at all refuses always.
   *
   * @param address its address
   * @param bytes its size now
   * @param newBytes its size then; a multiple of {@link #granularityBytes()}
   * @throws IllegalArgumentException if {@code newBytes < 1}
   * @throws IllegalStateException if there is no such region
   * @throws DeviceException if the driver's call fails for another reason than memory
   */
  @Override
  boolean resize(long address, long bytes, long newBytes);

  /**
   * Copies from the host.
   *
   * @param source what to copy, from its first byte to its last
   * @param address where to
   * @throws IllegalArgumentException if the range does not lie within one region
   * @throws IllegalStateException if {@code source} has ended
   * @throws DeviceException if the driver's call fails
   */
  void copyFromHost(MemorySegment source, long address);

  /**
   * Copies to the host.
   *
   * @param address where from
   * @param target where to, as many bytes as it has
   * @throws IllegalArgumentException if the range does not lie within one region, or the target is
   *     read-only
   * @throws IllegalStateException if {@code target} has ended
   * @throws DeviceException if the driver's call fails
   */
  void copyToHost(long address, MemorySegment target);

  /**
   * Copies within the device.
   *
   * @param source where from
   * @param target where to; the ranges do not overlap
   * @param bytes how many
   * @throws IllegalArgumentException if a range does not lie within one region, or they overlap
   * @throws DeviceException if the driver's call fails
   */
  void copy(long source, long target, long bytes);

  /**
   * Sets bytes.
   *
   * @param address the first
   * @param bytes how many
   * @param value to what
   * @throws IllegalArgumentException if the range does not lie within one region
   * @throws DeviceException if the driver's call fails
   */
  void fill(long address, long bytes, byte value);

  /**
   * {@return true if a range lies within one region, and so can be copied and filled}
   *
   * @param address where it starts
   * @param bytes its size
   */
  boolean hasRange(long address, long bytes);

  /**
   * {@return host memory that copies from and to this device are fastest with: pinned, where the
   * device has that}
   *
   * <p>Its contents are undefined. It lives as long as its arena, even where the device ends
   * before.
   *
   * @param bytes how many
   * @param arena how long it lives
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the device is closed, or the arena
   * @throws DeviceException if it cannot be had; its message tells how much could be
   */
  MemorySegment allocateStaging(long bytes, Arena arena);

  /**
   * {@return a new queue of work}
   *
   * @throws IllegalStateException if the device is closed
   * @throws DeviceException if the driver's call fails
   */
  DeviceStream openStream();

  /**
   * Ends the device, of which no region may be held and no stream be open any more; does nothing if
   * it has ended.
   *
   * @throws IllegalStateException if regions are held or streams are open; nothing changes
   */
  @Override
  void close();
}
