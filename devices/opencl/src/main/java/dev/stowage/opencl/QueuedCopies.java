package dev.stowage.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Large queued copies between the host and buffers, for devices that compute on the CPU. */
final class QueuedCopies implements AutoCloseable {

  /*
   * PoCL copies with memcpy, which has 0.7 to 0.9 of the bandwidth of the JDK's copy for 1 GiB. A native
   * kernel is a function of this process, here `copy`, that a thread of the driver calls in the order of
   * the queue. It gets five words. The driver replaces the first one, a buffer, by its address.
   *
   * An exception from `copy` would end the JVM. The object keeps it; the call that waits for the
   * queue throws it.
   */

  /** The size from which native kernels are faster in both directions. */
  static final long MIN_BYTES = 16 << 20;

  /** The unit of copies. Other threads of the JVM may have to wait for the end of a unit. */
  private static final long PIECE_BYTES = 16 << 20;

  private static final int ARGUMENT_COUNT = 5;
  private static final long TO_BUFFER = 0;
  private static final long TO_HOST = 1;

  private final BufferFunctions buffers;
  private final long queue;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment function;

  /** The first failure; it is not wrapped, because there may be no memory for a new exception. */
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  QueuedCopies(BufferFunctions buffers, long queue) {
    this.buffers = buffers;
    this.queue = queue;
    function = function();
  }

  @SuppressWarnings("restricted") // a function that does not throw
  private MemorySegment function() {
    MethodHandle copy;
    try {
      MethodType type = MethodType.methodType(void.class, MemorySegment.class);
      copy = MethodHandles.lookup().bind(this, "copy", type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the method exists", e);
    }
    return Linker.nativeLinker().upcallStub(copy, FunctionDescriptor.ofVoid(ADDRESS), arena);
  }

  /** Queues a copy to a buffer and {@return its event} */
  long enqueue(MemorySegment source, BufferRange target) {
    return enqueue(target, source, TO_BUFFER);
  }

  /** Queues a copy to the host and {@return its event} */
  long enqueue(BufferRange source, MemorySegment target) {
    return enqueue(source, target, TO_HOST);
  }

  private long enqueue(BufferRange range, MemorySegment host, long direction) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment arguments =
          call.allocateFrom(
              JAVA_LONG, range.memory(), range.offset(), host.address(), range.bytes(), direction);
      return buffers.enqueueNative(queue, function, arguments, range);
    }
  }

  /** The native kernel. */
  void copy(MemorySegment arguments) {
    try {
      copyRange(arguments);
    } catch (Throwable thrown) { // such as an OutOfMemoryError
      failure.compareAndSet(null, thrown);
    }
  }

  @SuppressWarnings("restricted") // ranges that were checked when they were queued
  private static void copyRange(MemorySegment arguments) {
    long[] words = arguments.reinterpret(ARGUMENT_COUNT * JAVA_LONG.byteSize()).toArray(JAVA_LONG);
    long bytes = words[3];
    MemorySegment buffer = MemorySegment.ofAddress(words[0] + words[1]).reinterpret(bytes);
    MemorySegment host = MemorySegment.ofAddress(words[2]).reinterpret(bytes);
    MemorySegment source = words[4] == TO_HOST ? buffer : host;
    MemorySegment target = words[4] == TO_HOST ? host : buffer;
    for (long start = 0; start < bytes; start += PIECE_BYTES) {
      MemorySegment.copy(source, start, target, start, Math.min(PIECE_BYTES, bytes - start));
    }
  }

  /** Removes the first failure of completed copies and {@return it} */
  Optional<DeviceException> takeFailure() {
    return Optional.ofNullable(failure.getAndSet(null)).map(QueuedCopies::exception);
  }

  private static DeviceException exception(Throwable thrown) {
    DeviceException exception =
        OpenClError.exception("a copy of clEnqueueNativeKernel", OpenClError.OUT_OF_HOST_MEMORY);
    exception.initCause(thrown);
    return exception;
  }

  /** Frees the function. No call of it may be queued. */
  @Override
  public void close() {
    arena.close();
  }
}
