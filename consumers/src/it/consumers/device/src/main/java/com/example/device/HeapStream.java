package com.example.device;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.MemorySegment;

/** A stream that does its work when it is queued. */
final class HeapStream implements DeviceStream {

  private final HeapDevice device;
  private boolean closed;

  HeapStream(HeapDevice device) {
    this.device = device;
  }

  /** An event that is done when it is recorded. */
  private static final class Done implements DeviceEvent {

    private final HeapDevice device;
    private volatile boolean closed;

    Done(HeapDevice device) {
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
    return new Done(device);
  }

  @Override
  public void waitFor(DeviceEvent event) {
    checkOpen();
    if (!(event instanceof Done done && done.device == device)) {
      throw DeviceChecks.foreignEvent(device);
    }
    done.await();
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
