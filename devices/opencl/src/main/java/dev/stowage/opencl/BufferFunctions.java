package dev.stowage.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Functions for buffers, and commands on ranges of them. */
final class BufferFunctions {

  private static final long MEM_READ_WRITE = 1;
  private static final long MEM_ALLOC_HOST_PTR = 1 << 4;
  private static final int BUFFER_CREATE_TYPE_REGION = 0x1220;

  /** The purposes of a mapping: reading, reading and writing, or overwriting. */
  static final long MAP_READ = 1;

  static final long MAP_READ_WRITE = 3;
  static final long MAP_WRITE_INVALIDATE = 4;

  private static final long MIGRATE_CONTENT_UNDEFINED = 2;
  private static final int NOT_BLOCKING = 0;
  private static final int BLOCKING = 1;
  private static final MemorySegment NONE = MemorySegment.NULL;

  private final MethodHandle createBuffer;
  private final MethodHandle createSubBuffer;
  private final MethodHandle retainMemObject;
  private final MethodHandle releaseMemObject;
  private final MethodHandle enqueueRead;
  private final MethodHandle enqueueWrite;
  private final MethodHandle enqueueCopy;
  private final MethodHandle enqueueFill;
  private final MethodHandle enqueueMap;
  private final MethodHandle enqueueUnmap;
  private final MethodHandle enqueueMigrate;
  private final MethodHandle enqueueNative;

  BufferFunctions(Linkage linkage) {
    createBuffer =
        linkage.made(
            "clCreateBuffer", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    createSubBuffer =
        linkage.made(
            "clCreateSubBuffer", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    retainMemObject = linkage.code("clRetainMemObject", JAVA_LONG);
    releaseMemObject = linkage.code("clReleaseMemObject", JAVA_LONG);
    enqueueRead = transfer(linkage, "clEnqueueReadBuffer");
    enqueueWrite = transfer(linkage, "clEnqueueWriteBuffer");
    enqueueCopy =
        linkage.code(
            "clEnqueueCopyBuffer",
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS);
    enqueueFill =
        linkage.code(
            "clEnqueueFillBuffer",
            JAVA_LONG,
            JAVA_LONG,
            ADDRESS,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS);
    enqueueMap =
        linkage.made(
            "clEnqueueMapBuffer",
            ADDRESS,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS,
            ADDRESS);
    enqueueUnmap =
        linkage.code(
            "clEnqueueUnmapMemObject", JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    enqueueMigrate =
        linkage.code(
            "clEnqueueMigrateMemObjects",
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS);
    enqueueNative =
        linkage.code(
            "clEnqueueNativeKernel",
            JAVA_LONG,
            ADDRESS,
            ADDRESS,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            ADDRESS);
  }

  private static MethodHandle transfer(Linkage linkage, String function) {
    return linkage.code(
        function, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS,
        ADDRESS);
  }

  /** A command with an event. */
  private interface Command {
    int enqueue(MemorySegment event) throws Throwable;
  }

  private static long eventOf(Supplier<String> description, Command command) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment event = arena.allocate(JAVA_LONG);
      Linkage.check(description, () -> command.enqueue(event));
      return event.get(JAVA_LONG, 0);
    }
  }

  /** {@return a buffer in device memory} */
  long create(long context, long bytes) {
    return create(context, bytes, MEM_READ_WRITE);
  }

  /** {@return a buffer in host memory that the device accesses directly} */
  long createPinned(long context, long bytes) {
    return create(context, bytes, MEM_READ_WRITE | MEM_ALLOC_HOST_PTR);
  }

  private long create(long context, long bytes, long flags) {
    return Linkage.make(
        () -> String.format(Locale.ROOT, "clCreateBuffer of %d bytes", bytes),
        error -> (long) createBuffer.invokeExact(context, flags, bytes, NONE, error));
  }

  /** {@return a sub-buffer, which keeps its buffer alive} */
  long createPart(long memory, long offset, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment region = arena.allocateFrom(JAVA_LONG, offset, bytes);
      return Linkage.make(
          () ->
              String.format(
                  Locale.ROOT, "clCreateSubBuffer of %d bytes at offset %d", bytes, offset),
          error ->
              (long)
                  createSubBuffer.invokeExact(
                      memory, MEM_READ_WRITE, BUFFER_CREATE_TYPE_REGION, region, error));
    }
  }

  void retain(long memory) {
    Linkage.check(() -> "clRetainMemObject", () -> (int) retainMemObject.invokeExact(memory));
  }

  void release(long memory) {
    Linkage.check(() -> "clReleaseMemObject", () -> (int) releaseMemObject.invokeExact(memory));
  }

  /** Queues a copy to the host and {@return its event} */
  long enqueueRead(long queue, BufferRange source, MemorySegment target) {
    return eventOf(
        () -> "clEnqueueReadBuffer of " + source,
        event -> read(queue, source, target, NOT_BLOCKING, event));
  }

  /** Copies to the host. */
  void read(long queue, BufferRange source, MemorySegment target) {
    Linkage.check(
        () -> "clEnqueueReadBuffer of " + source,
        () -> read(queue, source, target, BLOCKING, NONE));
  }

  private int read(
      long queue, BufferRange source, MemorySegment target, int blocking, MemorySegment event)
      throws Throwable {
    return (int)
        enqueueRead.invokeExact(
            queue,
            source.memory(),
            blocking,
            source.offset(),
            source.bytes(),
            target,
            0,
            NONE,
            event);
  }

  /** Queues a copy from the host and {@return its event} */
  long enqueueWrite(long queue, MemorySegment source, BufferRange target) {
    return eventOf(
        () -> "clEnqueueWriteBuffer of " + target,
        event -> write(queue, source, target, NOT_BLOCKING, event));
  }

  /** Copies from the host. */
  void write(long queue, MemorySegment source, BufferRange target) {
    Linkage.check(
        () -> "clEnqueueWriteBuffer of " + target,
        () -> write(queue, source, target, BLOCKING, NONE));
  }

  private int write(
      long queue, MemorySegment source, BufferRange target, int blocking, MemorySegment event)
      throws Throwable {
    return (int)
        enqueueWrite.invokeExact(
            queue,
            target.memory(),
            blocking,
            target.offset(),
            target.bytes(),
            source,
            0,
            NONE,
            event);
  }

  /** Queues a copy within the device and {@return its event} */
  long enqueueCopy(long queue, BufferRange source, BufferRange target) {
    return eventOf(
        () -> String.format(Locale.ROOT, "clEnqueueCopyBuffer of %s to %s", source, target),
        event ->
            (int)
                enqueueCopy.invokeExact(
                    queue,
                    source.memory(),
                    target.memory(),
                    source.offset(),
                    target.offset(),
                    source.bytes(),
                    0,
                    NONE,
                    event));
  }

  /** Queues a fill and {@return its event} */
  long enqueueFill(long queue, BufferRange range, byte value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pattern = arena.allocateFrom(JAVA_BYTE, value);
      return eventOf(
          () -> "clEnqueueFillBuffer of " + range,
          event ->
              (int)
                  enqueueFill.invokeExact(
                      queue,
                      range.memory(),
                      pattern,
                      pattern.byteSize(),
                      range.offset(),
                      range.bytes(),
                      0,
                      NONE,
                      event));
    }
  }

  /** {@return the memory of a range, which the host can access until it is unmapped} */
  MemorySegment map(long queue, BufferRange range, long rights) {
    return Linkage.make(
        () -> "clEnqueueMapBuffer of " + range,
        error ->
            (MemorySegment)
                enqueueMap.invokeExact(
                    queue,
                    range.memory(),
                    BLOCKING,
                    rights,
                    range.offset(),
                    range.bytes(),
                    0,
                    NONE,
                    NONE,
                    error));
  }

  /** Queues the end of a mapping and {@return its event} */
  long unmap(long queue, long memory, MemorySegment mapped) {
    return eventOf(
        () -> "clEnqueueUnmapMemObject",
        event -> (int) enqueueUnmap.invokeExact(queue, memory, mapped, 0, NONE, event));
  }

  /** Queues the allocation of the memory of a buffer and {@return its event} */
  long enqueueMigrate(long queue, long memory) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memories = arena.allocateFrom(JAVA_LONG, memory);
      return eventOf(
          () -> "clEnqueueMigrateMemObjects",
          event ->
              (int)
                  enqueueMigrate.invokeExact(
                      queue, 1, memories, MIGRATE_CONTENT_UNDEFINED, 0, NONE, event));
    }
  }

  /**
   * Queues a call of a function of this process and {@return its event}
   *
   * @param arguments the arguments; the driver replaces the first one, the buffer, by its address
   */
  long enqueueNative(
      long queue, MemorySegment function, MemorySegment arguments, BufferRange range) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memories = arena.allocateFrom(JAVA_LONG, range.memory());
      MemorySegment places = arena.allocateFrom(JAVA_LONG, arguments.address());
      return eventOf(
          () -> "clEnqueueNativeKernel with " + range,
          event ->
              (int)
                  enqueueNative.invokeExact(
                      queue,
                      function,
                      arguments,
                      arguments.byteSize(),
                      1,
                      memories,
                      places,
                      0,
                      NONE,
                      event));
    }
  }

  /** {@return a new buffer, or empty if there is too little memory} */
  OptionalLong tryCreate(long context, long bytes) {
    try {
      return OptionalLong.of(create(context, bytes));
    } catch (DeviceException e) {
      if (OpenClError.isOutOfMemory(e.code())) {
        return OptionalLong.empty();
      }
      throw e;
    }
  }
}
