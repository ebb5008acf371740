package dev.stowage.memory.device;

import dev.stowage.memory.lifetime.Deadline;
import java.time.Duration;

/**
 * A point in a stream, which is reached when all work queued before it has completed. Safe for use
 * by many threads.
 */
public interface DeviceEvent extends AutoCloseable {

  /**
   * {@return true if the work before this event has completed}
   *
   * @throws IllegalStateException if the event is closed
   * @throws DeviceException if a call of the driver fails
   */
  boolean isDone();

  /**
   * Waits until the work before this event has completed.
   *
   * @throws IllegalStateException if the event is closed
   * @throws DeviceException if a call of the driver fails, or the work failed; the stream reports
   *     that failure, too
   */
  void await();

  /**
   * {@return true if the work before this event completes within some time}
   *
   * <p>If the work failed, its stream reports the failure. The default queries the event every 0.1
   * ms.
   *
   * @param timeout the longest time to wait; if it is not positive, the method does not wait
   * @throws IllegalStateException if the event is closed
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws DeviceException if a call of the driver fails
   */
  default boolean isDoneWithin(Duration timeout) throws InterruptedException {
    Deadline deadline = Deadline.in(timeout);
    while (!isDone()) {
      if (deadline.isOver()) {
        return false;
      }
      deadline.pause(100_000, () -> "waiting for the work of a device");
    }
    return true;
  }

  /**
   * Closes the event; has no effect if it is closed. Threads that wait for it continue to wait, and
   * the work is not affected.
   */
  @Override
  void close();
}
