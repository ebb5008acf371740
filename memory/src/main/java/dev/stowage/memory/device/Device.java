package dev.stowage.memory.device;

import dev.stowage.core.bfc.SubAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A memory with addresses of its own: the machine's, a GPU's, or a simulated one.
 *
 * <p>It gives regions, as any {@link SubAllocator}, and copies and fills ranges of them; a range is
 * known by its device address, which only the device itself can follow. Methods of this class are
 * done when they return; a {@link DeviceStream} queues them.
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
  long alignmentBytes();

  /**
   * Copies from the host.
   *
   * @param source what to copy, from its first byte to its last
   * @param address where to
   * @throws IllegalArgumentException if the range does not lie within one region
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
   * {@return host memory that copies from and to this device are fastest with: pinned, where the
   * device has that}
   *
   * <p>Its contents are undefined.
   *
   * @param bytes how many
   * @param arena how long it lives
   * @throws DeviceException if it cannot be had
   */
  MemorySegment allocateStaging(long bytes, Arena arena);

  /**
   * {@return a new queue of work}
   *
   * @throws DeviceException if the driver's call fails
   */
  DeviceStream openStream();

  /**
   * Ends the device, of which no region may be held any more; does nothing if it has ended.
   *
   * @throws IllegalStateException if regions are held; nothing changes
   */
  @Override
  void close();
}
