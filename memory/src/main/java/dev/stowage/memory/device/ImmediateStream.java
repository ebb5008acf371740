package dev.stowage.memory.device;

import java.lang.foreign.MemorySegment;

/**
 * A stream for devices without queues: the calling thread executes the work at once.
 *
 * <p>It calls the methods of {@link Device} with the same names. Its events are done when they are
 * recorded.
 */
public final class ImmediateStream implements DeviceStream {

  private final Device device;
  private final Runnable onClose;
  private boolean closed;

  /**
   * An open stream.
   *
   * @param device the device
   * @param onClose called once, by the first {@link #close()}
   */
  public ImmediateStream(Device device, Runnable onClose) {
    this.device = device;
    this.onClose = onClose;
  }

  /** An event that is done when it is recorded. */
  private static final class Past implements DeviceEvent {

    private final Device device;
    private volatile boolean closed;

    Past(Device device) {
      this.device = device;
    }

    @Override
    public boolean isDone() {
      await();
      return true;
    }

    @Override
    public void await() {
      if (closed) {
        throw DeviceChecks.closedEvent(device);
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public void copyFromHost(MemorySegment source, long address) {
    checkOpen();
    DeviceChecks.checkNative(source);
    device.copyFromHost(source, address);
  }

  @Override
  public void copyToHost(long address, MemorySegment target) {
    checkOpen();
    DeviceChecks.checkNative(target);
    device.copyToHost(address, target);
  }

  @Override
  public void copy(long source, long target, long bytes) {
    checkOpen();
    device.copy(source, target, bytes);
  }

  @Override
  public void fill(long address, long bytes, byte value) {
    checkOpen();
    device.fill(address, bytes, value);
  }

  @Override
  public DeviceEvent record() {
    checkOpen();
    return new Past(device);
  }

  @Override
  public void waitFor(DeviceEvent event) {
    checkOpen();
    if (!(event instanceof Past past && past.device.equals(device))) {
      throw DeviceChecks.foreignEvent(device);
    }
    past.await();
  }

  @Override
  public void synchronize() {
    checkOpen();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      onClose.run();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedStream(device);
    }
  }
}
