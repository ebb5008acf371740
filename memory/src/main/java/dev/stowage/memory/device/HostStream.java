package dev.stowage.memory.device;

import java.lang.foreign.MemorySegment;

/** A stream of host memory: whatever is asked for is done at once. */
final class HostStream implements DeviceStream {

  private final HostMemory device;
  private boolean closed;

  HostStream(HostMemory device) {
    this.device = device;
  }

  /** The moment before now. */
  private record Past(HostMemory device) implements DeviceEvent {

    @Override
    public boolean isDone() {
      return true;
    }

    @Override
    public void await() {}

    @Override
    public void close() {}
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
    if (!(event instanceof Past past && past.device() == device)) {
      throw DeviceChecks.foreignEvent(device);
    }
  }

  @Override
  public void synchronize() {
    checkOpen();
  }

  @Override
  public void close() {
    closed = true;
  }

  private void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedStream(device);
    }
  }
}
