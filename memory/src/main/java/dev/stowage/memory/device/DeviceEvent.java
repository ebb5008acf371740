package dev.stowage.memory.device;

/** A moment in a stream: when everything queued before it is done. Safe for use by many threads. */
public interface DeviceEvent extends AutoCloseable {

  /**
   * {@return whether the moment has come}
   *
   * @throws IllegalStateException if it is forgotten
   * @throws DeviceException if the driver's call fails
   */
  boolean isDone();

  /**
   * Waits for the moment.
   *
   * @throws IllegalStateException if it is forgotten
   * @throws DeviceException if the driver's call fails, or the work that the moment follows on has
   *     failed, which the stream tells, too
   */
  void await();

  /**
   * Forgets the moment, which may still come, and may be waited for; does nothing if it is
   * forgotten.
   */
  @Override
  void close();
}
