package dev.stowage.memory.device;

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
  private Optional<DeviceException> failure = Optional.empty();

  private boolean closed;

  SimulatedStream(SimulatedDevice device) {
    this.device = device;
  }

  /** One thing to do. */
  static final class Work {

    private final SimulatedStream stream;
    private final Runnable action;

    /** What went wrong with it, for those who wait for just this. */
    private Optional<DeviceException> failure = Optional.empty();

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
  private record Moment(SimulatedStream stream, Optional<Work> last) implements DeviceEvent {

    @Override
    public boolean isDone() {
      synchronized (stream.device) {
        return last.isEmpty() || !stream.queue.contains(last.get());
      }
    }

    @Override
    public void await() {
      synchronized (stream.device) {
        if (!isDone()) {
          stream.runUntil(last.orElseThrow());
        }
        Optional<DeviceException> failed = last.flatMap(work -> work.failure);
        if (failed.isPresent()) {
          throw failed.get();
        }
      }
    }

    @Override
    public void close() {}
  }

  /** Lets things happen up to one of them. */
  void runUntil(Work last) {
    synchronized (device) {
      Work work;
      do {
        work = queue.removeFirst();
        try {
          device.run(work);
        } catch (DeviceException e) {
          work.failure = Optional.of(e);
          failure = failure.or(() -> Optional.of(e));
        }
      } while (work != last);
    }
  }

  private void enqueue(Runnable action) {
    synchronized (device) {
      if (closed) {
        throw DeviceChecks.closedStream(device);
      }
      Work work = new Work(this, action);
      queue.addLast(work);
      device.enqueue(work);
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
    enqueue(() -> device.copyFromHost(source, address));
  }

  @Override
  public void copyToHost(long address, MemorySegment target) {
    DeviceChecks.checkNative(target);
    DeviceChecks.checkWritable(target);
    device.checkRange(address, target.byteSize());
    enqueue(() -> device.copyToHost(address, target));
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
      if (closed) {
        throw DeviceChecks.closedStream(device);
      }
      return new Moment(this, Optional.ofNullable(queue.peekLast()));
    }
  }

  @Override
  public void waitFor(DeviceEvent event) {
    if (!(event instanceof Moment moment && moment.stream().device == device)) {
      throw DeviceChecks.foreignEvent(device);
    }
    enqueue(moment::await);
  }

  @Override
  public void synchronize() {
    synchronized (device) {
      if (closed) {
        throw DeviceChecks.closedStream(device);
      }
      finish();
    }
  }

  private void finish() {
    if (!queue.isEmpty()) {
      runUntil(queue.getLast());
    }
    Optional<DeviceException> told = failure;
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
        finish();
      }
    }
  }
}
