package dev.stowage.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions for contexts, command queues and events. */
final class QueueFunctions {

  private static final long CONTEXT_PLATFORM = 0x1084;
  private static final int EVENT_COMMAND_EXECUTION_STATUS = 0x11D3;
  private static final long IN_ORDER = 0;

  private final MethodHandle createContext;
  private final MethodHandle retainContext;
  private final MethodHandle releaseContext;
  private final MethodHandle createCommandQueue;
  private final MethodHandle retainCommandQueue;
  private final MethodHandle releaseCommandQueue;
  private final MethodHandle flush;
  private final MethodHandle finish;
  private final MethodHandle enqueueMarker;
  private final MethodHandle enqueueBarrier;
  private final MethodHandle waitForEvents;
  private final MethodHandle getEventInfo;
  private final MethodHandle retainEvent;
  private final MethodHandle releaseEvent;

  QueueFunctions(Linkage linkage) {
    createContext =
        linkage.made(
            "clCreateContext", JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    retainContext = linkage.code("clRetainContext", JAVA_LONG);
    releaseContext = linkage.code("clReleaseContext", JAVA_LONG);
    createCommandQueue =
        linkage.made("clCreateCommandQueue", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
    retainCommandQueue = linkage.code("clRetainCommandQueue", JAVA_LONG);
    releaseCommandQueue = linkage.code("clReleaseCommandQueue", JAVA_LONG);
    flush = linkage.code("clFlush", JAVA_LONG);
    finish = linkage.code("clFinish", JAVA_LONG);
    enqueueMarker =
        linkage.code("clEnqueueMarkerWithWaitList", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    enqueueBarrier =
        linkage.code("clEnqueueBarrierWithWaitList", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    waitForEvents = linkage.code("clWaitForEvents", JAVA_INT, ADDRESS);
    getEventInfo = linkage.code("clGetEventInfo", JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    retainEvent = linkage.code("clRetainEvent", JAVA_LONG);
    releaseEvent = linkage.code("clReleaseEvent", JAVA_LONG);
  }

  /**
   * {@return a context}
   *
   * @param deviceIds devices of the platform, each one once
   */
  long createContext(long platform, long... deviceIds) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment properties = arena.allocateFrom(JAVA_LONG, CONTEXT_PLATFORM, platform, 0);
      MemorySegment devices = arena.allocateFrom(JAVA_LONG, deviceIds);
      return Linkage.make(
          () -> "clCreateContext",
          error ->
              (long)
                  createContext.invokeExact(
                      properties,
                      deviceIds.length,
                      devices,
                      MemorySegment.NULL,
                      MemorySegment.NULL,
                      error));
    }
  }

  void retainContext(long context) {
    Linkage.check(() -> "clRetainContext", () -> (int) retainContext.invokeExact(context));
  }

  void releaseContext(long context) {
    Linkage.check(() -> "clReleaseContext", () -> (int) releaseContext.invokeExact(context));
  }

  long createQueue(long context, long device) {
    return Linkage.make(
        () -> "clCreateCommandQueue",
        error -> (long) createCommandQueue.invokeExact(context, device, IN_ORDER, error));
  }

  void retainQueue(long queue) {
    Linkage.check(() -> "clRetainCommandQueue", () -> (int) retainCommandQueue.invokeExact(queue));
  }

  void releaseQueue(long queue) {
    Linkage.check(
        () -> "clReleaseCommandQueue", () -> (int) releaseCommandQueue.invokeExact(queue));
  }

  /** Starts the commands of a queue without waiting for them. */
  void flush(long queue) {
    Linkage.check(() -> "clFlush", () -> (int) flush.invokeExact(queue));
  }

  void finish(long queue) {
    Linkage.check(() -> "clFinish", () -> (int) finish.invokeExact(queue));
  }

  /** {@return an event after all commands queued so far} */
  long marker(long queue) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment event = arena.allocate(JAVA_LONG);
      Linkage.check(
          () -> "clEnqueueMarkerWithWaitList",
          () -> (int) enqueueMarker.invokeExact(queue, 0, MemorySegment.NULL, event));
      return event.get(JAVA_LONG, 0);
    }
  }

  /** Queues a wait for an event. */
  void barrier(long queue, long event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment events = arena.allocateFrom(JAVA_LONG, event);
      Linkage.check(
          () -> "clEnqueueBarrierWithWaitList",
          () -> (int) enqueueBarrier.invokeExact(queue, 1, events, MemorySegment.NULL));
    }
  }

  /** Waits for an event, even if its command fails. */
  void await(long event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment events = arena.allocateFrom(JAVA_LONG, event);
      int code = Linkage.code(() -> (int) waitForEvents.invokeExact(1, events));
      if (code != OpenClError.SUCCESS && status(event) >= 0) {
        throw OpenClError.exception("clWaitForEvents", code);
      }
    }
  }

  /**
   * Waits for a command and releases its event.
   *
   * @throws dev.stowage.memory.device.DeviceException if the command failed
   */
  void awaitSuccess(String command, long event) {
    int status;
    try {
      await(event);
      status = status(event);
    } finally {
      releaseEvent(event);
    }
    if (status < 0) {
      throw OpenClError.exception(command, status);
    }
  }

  /** {@return the state of a command: positive, 0 if it is complete, or an error code} */
  int status(long event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(JAVA_INT);
      Linkage.check(
          () -> "clGetEventInfo",
          () ->
              (int)
                  getEventInfo.invokeExact(
                      event,
                      EVENT_COMMAND_EXECUTION_STATUS,
                      JAVA_INT.byteSize(),
                      status,
                      MemorySegment.NULL));
      return status.get(JAVA_INT, 0);
    }
  }

  void retainEvent(long event) {
    Linkage.check(() -> "clRetainEvent", () -> (int) retainEvent.invokeExact(event));
  }

  void releaseEvent(long event) {
    Linkage.check(() -> "clReleaseEvent", () -> (int) releaseEvent.invokeExact(event));
  }
}
