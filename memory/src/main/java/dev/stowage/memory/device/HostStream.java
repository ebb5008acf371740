package dev.stowage.memory.device;

import java.lang.foreign.MemorySegment;

/** A stream of host memory, which executes work at once. */
final class HostStream implements DeviceStream {

  private final HostMemory device;
  private boolean closed;

  HostStream(HostMemory device) {
    this.device = device;
  }

  /** An event that is done when it is recorded. */
  private static final class Past implements DeviceEvent {

    private final HostMemory device;
    private volatile boolean closed;

    Past(HostMemory device) {
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
    if (!(event instanceof Past past && past.device == device)) {
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
      device.streamClosed();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedStream(device);
    }
  }
}
