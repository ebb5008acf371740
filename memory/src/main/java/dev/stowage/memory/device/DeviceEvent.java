package dev.stowage.memory.device;

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
   * Closes the event; has no effect if it is closed. Threads that wait for it continue to wait, and
   * the work is not affected.
   */
  @Override
  void close();
}
