package dev.stowage.opencl;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** An in-order command queue of OpenCL, for one thread at a time. */
public final class OpenClStream implements DeviceStream {

  /*
   * Only the event of a command reports its failure. The stream therefore keeps the event until the
   * command has completed. Each new command checks the oldest events, so that only queued commands
   * have events.
   */

  private final OpenClDevice device;
  private final QueueFunctions queues;
  private final long queue;
  private final Deque<Pending> pending = new ArrayDeque<>();

  /** Made for the first large copy, because this takes longer than opening a stream. */
  private Optional<QueuedCopies> largeCopies = Optional.empty();

  private Optional<DeviceException> failure = Optional.empty();
  private boolean closed;

  /** A command that may not have completed. */
  private record Pending(String command, long event) {}

  OpenClStream(OpenClDevice device, long queue) {
    this.device = device;
    this.queues = device.api().queues();
    this.queue = queue;
  }

  @Override
  public OpenClDevice device() {
    return device;
  }

  /**
   * {@return the cl_command_queue for commands of the caller, which lives until the stream is
   * closed}
   *
   * <p>The caller checks its commands for failures.
   *
   * @throws IllegalStateException if the stream is closed
   */
  public long queue() {
    checkOpen();
    return queue;
  }

  @Override
  public void copyFromHost(MemorySegment source, long address) {
    checkOpen();
    DeviceChecks.checkNative(source);
    try (BufferRange target = device.range(address, source.byteSize())) {
      if (isLarge(target)) {
        queued("clEnqueueNativeKernel", largeCopies().enqueue(source, target));
      } else if (target.bytes() > 0) {
        queued("clEnqueueWriteBuffer", buffers().enqueueWrite(queue, source, target));
      }
    }
  }

  @Override
  public void copyToHost(long address, MemorySegment target) {
    checkOpen();
    DeviceChecks.checkNative(target);
    DeviceChecks.checkWritable(target);
    try (BufferRange source = device.range(address, target.byteSize())) {
      if (isLarge(source)) {
        queued("clEnqueueNativeKernel", largeCopies().enqueue(source, target));
      } else if (source.bytes() > 0) {
        queued("clEnqueueReadBuffer", buffers().enqueueRead(queue, source, target));
      }
    }
  }

  @Override
  public void copy(long source, long target, long bytes) {
    checkOpen();
    DeviceChecks.checkDisjoint(source, target, bytes);
    try (BufferRange from = device.range(source, bytes);
        BufferRange to = device.range(target, bytes)) {
      enqueueCopy(from, to);
    }
  }

  @Override
  public void copyFrom(Device source, long sourceAddress, long address, long bytes) {
    if (source == device || !device.canCopyFrom(source)) {
      DeviceStream.super.copyFrom(source, sourceAddress, address, bytes);
      return;
    }
    checkOpen();
    try (BufferRange from = ((OpenClDevice) source).range(sourceAddress, bytes);
        BufferRange to = device.range(address, bytes)) {
      enqueueCopy(from, to);
    }
  }

  private void enqueueCopy(BufferRange from, BufferRange to) {
    if (to.bytes() > 0) {
      queued("clEnqueueCopyBuffer", buffers().enqueueCopy(queue, from, to));
    }
  }

  @Override
  public void fill(long address, long bytes, byte value) {
    checkOpen();
    try (BufferRange range = device.range(address, bytes)) {
      if (bytes > 0) {
        queued("clEnqueueFillBuffer", buffers().enqueueFill(queue, range, value));
      }
    }
  }

  private BufferFunctions buffers() {
    return device.api().buffers();
  }

  private boolean isLarge(BufferRange range) {
    return device.hasNativeKernels() && range.bytes() >= QueuedCopies.MIN_BYTES;
  }

  QueuedCopies largeCopies() {
    if (largeCopies.isEmpty()) {
      largeCopies = Optional.of(new QueuedCopies(buffers(), queue));
    }
    return largeCopies.get();
  }

  /** Keeps a command until it has completed. */
  void queued(String command, long event) {
    pending.addLast(new Pending(command, event));
    int status;
    do {
      status = queues.status(pending.getFirst().event());
    } while (status <= 0 && removeFirst(status));
  }

  /** Removes the oldest command and {@return true if there are others} */
  private boolean removeFirst(int status) {
    Pending first = pending.removeFirst();
    queues.releaseEvent(first.event());
    if (status < 0) {
      failure = failure.or(() -> Optional.of(OpenClError.exception(first.command(), status)));
    }
    return !pending.isEmpty();
  }

  @Override
  public DeviceEvent record() {
    checkOpen();
    long event = queues.marker(queue);
    queues.flush(queue);
    return new OpenClEvent(device, queues, event);
  }

  @Override
  public void waitFor(DeviceEvent event) {
    checkOpen();
    if (!(event instanceof OpenClEvent known && known.device() == device)) {
      throw DeviceChecks.foreignEvent(device);
    }
    known.enqueueWait(queue);
  }

  @Override
  public void synchronize() {
    checkOpen();
    queues.finish(queue);
    throwFailure();
  }

  /** Throws the first failure after all commands have completed. */
  private void throwFailure() {
    while (!pending.isEmpty()) {
      removeFirst(queues.status(pending.getFirst().event()));
    }
    Optional<DeviceException> ofCopies = largeCopies.flatMap(QueuedCopies::takeFailure);
    Optional<DeviceException> reported = failure.or(() -> ofCopies);
    failure = Optional.empty();
    if (reported.isPresent()) {
      throw reported.get();
    }
  }

  /** {@return the number of commands that may not have completed} */
  int pendingCount() {
    return pending.size();
  }

  void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedStream(device);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      queues.finish(queue);
      largeCopies.ifPresent(QueuedCopies::close);
      throwFailure();
    } finally {
      device.streamClosed(queue);
      queues.releaseQueue(queue);
    }
  }
}
