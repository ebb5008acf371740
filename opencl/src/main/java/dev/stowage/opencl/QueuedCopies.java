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

/** Large copies between host and buffers, in a queue's turn, on a device that shares the memory. */
final class QueuedCopies implements AutoCloseable {

  /*
   * PoCL copies by the C library's memcpy, which takes longer than the JDK's copy where bytes are
   * many: 0.7 to 0.9 of its bandwidth for 1 GiB. A native kernel is a function of this process that
   * the driver calls when its turn has come, in a thread of its own: here `copy`. It gets five words,
   * the first of which the driver has replaced: a buffer by where the buffer lies.
   *
   * What leaves `copy` would end the JVM. So nothing does, and whoever waits for the queue is told.
   */

  /** From how many bytes on this is faster both ways. */
  static final long LEAST_BYTES = 16 << 20;

  /** How much is copied at once: the JVM's other threads may have to wait for the end of it. */
  private static final long PIECE_BYTES = 16 << 20;

  private static final int ARGUMENT_COUNT = 5;
  private static final long TO_BUFFER = 0;
  private static final long TO_HOST = 1;

  private final BufferFunctions buffers;
  private final long queue;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment function;

  /** What went wrong first; kept as it is, for there may be no memory to make more of it. */
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  QueuedCopies(BufferFunctions buffers, long queue) {
    this.buffers = buffers;
    this.queue = queue;
    function = function();
  }

  @SuppressWarnings("restricted") // a function of ours, which throws nothing
  private MemorySegment function() {
    MethodHandle copy;
    try {
      MethodType type = MethodType.methodType(void.class, MemorySegment.class);
      copy = MethodHandles.lookup().bind(this, "copy", type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the method is below", e);
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

  /** What the driver calls. */
  void copy(MemorySegment arguments) {
    try {
      copyWhatIsAskedFor(arguments);
    } catch (Throwable thrown) { // the JVM's own lack of memory, for all has been checked
      failure.compareAndSet(null, thrown);
    }
  }

  @SuppressWarnings("restricted") // ranges that were checked when they were queued
  private static void copyWhatIsAskedFor(MemorySegment arguments) {
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

  /** {@return what went wrong with copies that have ended, once} */
  Optional<DeviceException> takeFailure() {
    return Optional.ofNullable(failure.getAndSet(null)).map(QueuedCopies::exception);
  }

  private static DeviceException exception(Throwable thrown) {
    DeviceException exception =
        OpenClError.exception("a copy of clEnqueueNativeKernel", OpenClError.OUT_OF_HOST_MEMORY);
    exception.initCause(thrown);
    return exception;
  }

  /** Ends the function, of which no call may be queued any more. */
  @Override
  public void close() {
    arena.close();
  }
}
