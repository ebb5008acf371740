package dev.stowage.cuda;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** An event of the driver, without timing. It is destroyed when no thread waits for it. */
final class CudaEvent implements DeviceEvent {

  private static final int DISABLE_TIMING = 2;

  private final Device device;
  private final CudaContext context;
  private final long handle;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final UserCount users;

  private CudaEvent(Device device, CudaContext context, long handle) {
    this.device = device;
    this.context = context;
    this.handle = handle;
    this.users = new UserCount(() -> end(context, handle));
  }

  /**
   * {@return an event after all work that a stream has queued so far}
   *
   * @param stream an open stream, so that the device is open
   * @throws DeviceException if a call of the driver fails
   */
  static CudaEvent record(Device device, CudaContext context, long stream) {
    if (!context.tryHold()) {
      throw new AssertionError("a device with an open stream holds its context");
    }
    CudaEvent event = new CudaEvent(device, context, create(context));
    try {
      context.call(
          () -> "cuEventRecord", results -> context.driver().eventRecord(event.handle, stream));
      return event;
    } catch (RuntimeException | Error failed) {
      event.close();
      throw failed;
    }
  }

  private static long create(CudaContext context) {
    try {
      return context.result(
          () -> "cuEventCreate", results -> context.driver().eventCreate(results, DISABLE_TIMING));
    } catch (RuntimeException | Error failed) {
      context.release();
      throw failed;
    }
  }

  private static void end(CudaContext context, long handle) {
    try {
      context.call(() -> "cuEventDestroy", results -> context.driver().eventDestroy(handle));
    } finally {
      context.release();
    }
  }

  /** {@return true if the event belongs to a stream of a device} */
  @SuppressWarnings("ReferenceEquality") // a device is identified by its object
  boolean isOf(Device other) {
    return device == other;
  }

  /**
   * Queues a wait of a stream for this event.
   *
   * @throws IllegalStateException if the event is closed
   */
  void enqueueWait(long stream) {
    call(() -> "cuStreamWaitEvent", results -> context.driver().streamWaitEvent(stream, handle, 0));
  }

  @Override
  public boolean isDone() {
    hold();
    try {
      return context.isReady(() -> "cuEventQuery", results -> context.driver().eventQuery(handle));
    } finally {
      users.release();
    }
  }

  @Override
  public void await() {
    call(() -> "cuEventSynchronize", results -> context.driver().eventSynchronize(handle));
  }

  private void call(Supplier<String> what, CudaCall call) {
    hold();
    try {
      context.call(what, call);
    } finally {
      users.release();
    }
  }

  private void hold() {
    if (closed.get() || !users.tryHold()) {
      throw DeviceChecks.closedEvent(device);
    }
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      users.release();
    }
  }
}
