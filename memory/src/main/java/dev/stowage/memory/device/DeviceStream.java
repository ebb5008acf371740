package dev.stowage.memory.device;

import java.lang.foreign.MemorySegment;

/**
 * A queue of a device's work: one thing is done after the other, some time after it was asked for.
 *
 * <p>Arguments are checked when work is queued; where a driver fails later, a method that waits
 * tells. Host memory must stay alive and, where it is read, unchanged until its copy is done.
 *
 * <p>A stream that is closed answers every call but another {@link #close} with an {@link
 * IllegalStateException}. For one thread at a time.
 */
public interface DeviceStream extends AutoCloseable {

  /** {@return the device whose work this is} */
  Device device();

  /**
   * Queues a copy from the host.
   *
   * @param source what to copy; native memory
   * @param address where to
   * @throws IllegalArgumentException as {@link Device#copyFromHost}, or if {@code source} is no
   *     native memory
   * @throws IllegalStateException if it has ended
   * @throws DeviceException if the driver's call fails
   */
  void copyFromHost(MemorySegment source, long address);

  /**
   * Queues a copy to the host.
   *
   * @param address where from
   * @param target where to; native memory
   * @throws IllegalArgumentException as {@link Device#copyToHost}, or if {@code target} is no
   *     native memory
   * @throws IllegalStateException if it has ended
   * @throws DeviceException if the driver's call fails
   */
  void copyToHost(long address, MemorySegment target);

  /**
   * Queues a copy within the device.
   *
   * @param source where from
   * @param target where to
   * @param bytes how many
   * @throws IllegalArgumentException as {@link Device#copy}
   * @throws DeviceException if the driver's call fails
   */
  void copy(long source, long target, long bytes);

  /**
   * Queues the setting of bytes.
   *
   * @param address the first
   * @param bytes how many
   * @param value to what
   * @throws IllegalArgumentException as {@link Device#fill}
   * @throws DeviceException if the driver's call fails
   */
  void fill(long address, long bytes, byte value);

  /**
   * {@return the moment at which everything queued so far is done}
   *
   * @throws DeviceException if the driver's call fails
   */
  DeviceEvent record();

  /**
   * Lets what is queued from now on wait for a moment of another stream.
   *
   * @param event of a stream of the same device
   * @throws IllegalArgumentException if it is of another device
   * @throws IllegalStateException if it is closed
   * @throws DeviceException if the driver's call fails
   */
  void waitFor(DeviceEvent event);

  /**
   * Waits until everything queued so far is done.
   *
   * @throws DeviceException if some of it failed
   */
  void synchronize();

  /**
   * Waits until everything is done, and ends the stream; does nothing if it has ended.
   *
   * @throws DeviceException if some of it failed; the stream has ended nevertheless
   */
  @Override
  void close();
}
