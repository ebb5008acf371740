package dev.stowage.memory.device;

import java.lang.foreign.MemorySegment;

/**
 * A queue of work for a device, which executes it in order.
 *
 * <p>A method that queues work checks its arguments. If the work fails later, a method that waits
 * for it throws. The caller keeps host memory alive until its copy has completed, and does not
 * change it while it is read.
 *
 * <p>All methods of a closed stream but {@link #close} throw an {@link IllegalStateException}. A
 * stream is for one thread at a time.
 */
public interface DeviceStream extends AutoCloseable {

  /** {@return the device that executes the work} */
  Device device();

  /**
   * Queues a copy from the host.
   *
   * @param source the native memory to copy
   * @param address the start of the target
   * @throws IllegalArgumentException as {@link Device#copyFromHost}, or if {@code source} is not
   *     native memory
   * @throws IllegalStateException if {@code source} has ended
   * @throws DeviceException if a call of the driver fails
   */
  void copyFromHost(MemorySegment source, long address);

  /**
   * Queues a copy to the host.
   *
   * @param address the start of the source
   * @param target the native memory to fill
   * @throws IllegalArgumentException as {@link Device#copyToHost}, or if {@code target} is not
   *     native memory
   * @throws IllegalStateException if {@code target} has ended
   * @throws DeviceException if a call of the driver fails
   */
  void copyToHost(long address, MemorySegment target);

  /**
   * Queues a copy within the device.
   *
   * @param source the start of the source
   * @param target the start of the target
   * @param bytes the size
   * @throws IllegalArgumentException as {@link Device#copy}
   * @throws DeviceException if a call of the driver fails
   */
  void copy(long source, long target, long bytes);

  /**
   * Queues a copy from another device.
   *
   * <p>The caller has waited for work of the other device that writes the source, and keeps the
   * source unchanged until the copy has completed. If the device {@linkplain Device#canCopyFrom
   * cannot copy} directly from the other one, this method waits for the work of this stream and
   * then copies at once; this is the default.
   *
   * @param source the other device, or the device of this stream
   * @param sourceAddress the start of the source there
   * @param address the start of the target here
   * @param bytes the size
   * @throws IllegalArgumentException as {@link Device#copyFrom}
   * @throws NoStagingException as {@link Device#copyFrom}
   * @throws DeviceException if a call of a driver fails
   */
  @SuppressWarnings("ReferenceEquality") // a device is identified by its object
  default void copyFrom(Device source, long sourceAddress, long address, long bytes) {
    if (source == device()) {
      copy(sourceAddress, address, bytes);
    } else {
      synchronize();
      device().copyFrom(source, sourceAddress, address, bytes);
    }
  }

  /**
   * Queues a fill.
   *
   * @param address the start of the range
   * @param bytes the size of the range
   * @param value the value of each byte
   * @throws IllegalArgumentException as {@link Device#fill}
   * @throws DeviceException if a call of the driver fails
   */
  void fill(long address, long bytes, byte value);

  /**
   * {@return an event that is done when all work queued so far has completed}
   *
   * @throws DeviceException if a call of the driver fails
   */
  DeviceEvent record();

  /**
   * Queues a wait: work that is queued later starts after an event of another stream.
   *
   * @param event an event of a stream of the same device
   * @throws IllegalArgumentException if the event belongs to another device
   * @throws IllegalStateException if the event is closed
   * @throws DeviceException if a call of the driver fails
   */
  void waitFor(DeviceEvent event);

  /**
   * Waits until all work queued so far has completed.
   *
   * @throws DeviceException if some of the work failed
   */
  void synchronize();

  /**
   * Waits until all work has completed, and closes the stream; has no effect if it is closed.
   *
   * @throws DeviceException if some of the work failed; the stream is closed
   */
  @Override
  void close();
}
