package dev.stowage.testkit;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A stream that runs its work only when a caller waits for it. */
final class SimulatedStream implements DeviceStream {

  private final SimulatedDevice device;

  /** The queued work, the oldest first; guarded by the device. */
  private final Deque<Work> queue = new ArrayDeque<>();

  /** The first failure, until a waiting caller gets it. */
  private Optional<RuntimeException> failure = Optional.empty();

  private boolean closed;

  SimulatedStream(SimulatedDevice device) {
    this.device = device;
  }

  /** Queued work. */
  static final class Work {

    private final SimulatedStream stream;
    private final Runnable action;

    /** The failure of this work, for callers that wait for an event after it. */
    private Optional<RuntimeException> failure = Optional.empty();

    Work(SimulatedStream stream, Runnable action) {
      this.stream = stream;
      this.action = action;
    }

    SimulatedStream stream() {
      return stream;
    }

    Runnable action() {
      return action;
    }
  }

  /** An event after the last work that was queued before it, if there was any. */
  private static final class Moment implements DeviceEvent {

    private final SimulatedStream stream;
    private final Optional<Work> last;
    private boolean closed;

    Moment(SimulatedStream stream, Optional<Work> last) {
      this.stream = stream;
      this.last = last;
    }

    @Override
    public boolean isDone() {
      synchronized (stream.device) {
        checkOpen();
        return isReached();
      }
    }

    private boolean isReached() {
      return last.isEmpty() || !stream.queue.contains(last.get());
    }

    @Override
    public void await() {
      synchronized (stream.device) {
        checkOpen();
        reach();
        Optional<RuntimeException> failed = last.flatMap(work -> work.failure);
        if (failed.isPresent()) {
          throw failed.get();
        }
      }
    }

    @Override
    public boolean isDoneWithin(Duration timeout) {
      synchronized (stream.device) {
        checkOpen();
        if (timeout.isPositive()) {
          reach();
        }
        return isReached();
      }
    }

    /** Runs the work before this event, even if the event was closed after the wait started. */
    void reach() {
      if (!isReached()) {
        stream.runUntil(last.orElseThrow());
      }
    }

    void checkOpen() {
      if (closed) {
        throw DeviceChecks.closedEvent(stream.device);
      }
    }

    @Override
    public void close() {
      synchronized (stream.device) {
        closed = true;
      }
    }
  }

  /** Runs queued work up to and including one. */
  void runUntil(Work last) {
    synchronized (device) {
      Work work;
      do {
        work = queue.removeFirst();
        try {
          device.run(work);
        } catch (RuntimeException e) { // such as host memory that has ended before its copy
          work.failure = Optional.of(e);
          failure = failure.or(() -> Optional.of(e));
        }
      } while (work != last);
    }
  }

  private void enqueue(Runnable action) {
    synchronized (device) {
      checkOpen();
      Work work = new Work(this, action);
      queue.addLast(work);
      device.enqueue(work);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedStream(device);
    }
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public void copyFromHost(MemorySegment source, long address) {
    DeviceChecks.checkNative(source);
    device.checkRange(address, source.byteSize());
    enqueue(() -> device.copyFromHost(fromAnyThread(source), address));
  }

  @Override
  public void copyToHost(long address, MemorySegment target) {
    DeviceChecks.checkNative(target);
    DeviceChecks.checkWritable(target);
    device.checkRange(address, target.byteSize());
    enqueue(() -> device.copyToHost(address, fromAnyThread(target)));
  }

  /** {@return the same memory for any thread, as a driver accesses it} */
  @SuppressWarnings("restricted") // memory that has not ended
  private static MemorySegment fromAnyThread(MemorySegment segment) {
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException(
          "host memory must not end before its copy has completed: segment=" + segment);
    }
    return MemorySegment.ofAddress(segment.address()).reinterpret(segment.byteSize());
  }

  @Override
  public void copy(long source, long target, long bytes) {
    DeviceChecks.checkDisjoint(source, target, bytes);
    device.checkRange(source, bytes);
    device.checkRange(target, bytes);
    enqueue(() -> device.copy(source, target, bytes));
  }

  @Override
  public void copyFrom(Device source, long sourceAddress, long address, long bytes) {
    if (source == device || !device.canCopyFrom(source)) {
      DeviceStream.super.copyFrom(source, sourceAddress, address, bytes);
      return;
    }
    ((SimulatedDevice) source).checkRange(sourceAddress, bytes);
    device.checkRange(address, bytes);
    enqueue(() -> device.copyFrom(source, sourceAddress, address, bytes));
  }

  @Override
  public void fill(long address, long bytes, byte value) {
    device.checkRange(address, bytes);
    enqueue(() -> device.fill(address, bytes, value));
  }

  @Override
  public DeviceEvent record() {
    synchronized (device) {
      checkOpen();
      return new Moment(this, Optional.ofNullable(queue.peekLast()));
    }
  }

  @Override
  public void waitFor(DeviceEvent event) {
    if (!(event instanceof Moment moment && moment.stream.device == device)) {
      throw DeviceChecks.foreignEvent(device);
    }
    synchronized (device) {
      checkOpen();
      moment.checkOpen();
      enqueue(moment::reach);
    }
  }

  @Override
  public void synchronize() {
    synchronized (device) {
      checkOpen();
      finish();
    }
  }

  private void finish() {
    if (!queue.isEmpty()) {
      runUntil(queue.getLast());
    }
    Optional<RuntimeException> reported = failure;
    failure = Optional.empty();
    if (reported.isPresent()) {
      throw reported.get();
    }
  }

  @Override
  public void close() {
    synchronized (device) {
      if (!closed) {
        closed = true;
        device.streamClosed();
        finish();
      }
    }
  }
}
