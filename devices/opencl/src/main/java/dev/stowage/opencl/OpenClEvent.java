package dev.stowage.opencl;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceEvent;

/** A marker in a queue, as an event. */
final class OpenClEvent implements DeviceEvent {

  private final Device device;
  private final QueueFunctions queues;
  private final long event;
  private boolean closed;

  OpenClEvent(Device device, QueueFunctions queues, long event) {
    this.device = device;
    this.queues = queues;
    this.event = event;
  }

  Device device() {
    return device;
  }

  @Override
  public synchronized boolean isDone() {
    checkOpen();
    return queues.status(event) <= 0;
  }

  /** Waits without the lock, so that other threads can use the event meanwhile. */
  @Override
  public void await() {
    synchronized (this) {
      checkOpen();
      queues.retainEvent(event);
    }
    try {
      queues.await(event);
    } finally {
      queues.releaseEvent(event);
    }
  }

  synchronized void enqueueWait(long queue) {
    checkOpen();
    queues.barrier(queue, event);
  }

  private void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedEvent(device);
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      queues.releaseEvent(event);
    }
  }
}
