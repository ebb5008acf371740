package dev.stowage.testkit;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A stream in which nothing happens before someone waits for it. */
final class SimulatedStream implements DeviceStream {

  private final SimulatedDevice device;

  /** What has not happened yet, the oldest first; guarded by the device. */
  private final Deque<Work> queue = new ArrayDeque<>();

  /** What went wrong, until someone who waits is told. */
  private Optional<RuntimeException> failure = Optional.empty();

  private boolean closed;

  SimulatedStream(SimulatedDevice device) {
    this.device = device;
  }

  /** One thing to do. */
  static final class Work {

    private final SimulatedStream stream;
    private final Runnable action;

    /** What went wrong with it, for those who wait for just this. */
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

  /** Everything up to the last thing that was queued, if there was any. */
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
        return hasCome();
      }
    }

    private boolean hasCome() {
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

    /** Lets the moment come, for someone who began to wait before it was forgotten too. */
    void reach() {
      if (!hasCome()) {
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

  /** Lets things happen up to one of them. */
  void runUntil(Work last) {
    synchronized (device) {
      Work work;
      do {
        work = queue.removeFirst();
        try {
          device.run(work);
        } catch (RuntimeException e) { // also of memory that has ended before its turn
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

  /** {@return the same memory, which a driver reads and writes in threads of its own} */
  @SuppressWarnings("restricted") // memory that has not ended, of its own size
  private static MemorySegment fromAnyThread(MemorySegment segment) {
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException(
          "host memory has ended before its copy was done: segment=" + segment);
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
    Optional<RuntimeException> told = failure;
    failure = Optional.empty();
    if (told.isPresent()) {
      throw told.get();
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
