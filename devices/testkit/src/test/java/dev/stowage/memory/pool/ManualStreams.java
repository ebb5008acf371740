package dev.stowage.memory.pool;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.MemorySegment;

/**
 * Streams of a device that make progress only when the test says so.
 *
 * <p>They count how often they are compared and their events queried. They only record events: they
 * do not copy or fill.
 */
final class ManualStreams {

  private final Device device;
  private long queries;
  private long openEvents;
  private boolean isFailing;
  private volatile Runnable onQuery = () -> {};

  ManualStreams(Device device) {
    this.device = device;
  }

  /** {@return the number of comparisons of streams and queries of events} */
  synchronized long queries() {
    return queries;
  }

  /** {@return the events that are not closed} */
  synchronized long openEvents() {
    return openEvents;
  }

  /** Lets all queries of events fail, or no longer. */
  synchronized void failQueries(boolean failing) {
    isFailing = failing;
  }

  /** Runs an action before each query of an event. */
  void onQuery(Runnable action) {
    onQuery = action;
  }

  private synchronized void checkQuery() {
    if (isFailing) {
      throw new DeviceException("query", 1, "MANUAL_FAILURE");
    }
  }

  private synchronized void look() {
    queries++;
  }

  private synchronized void event(int more) {
    openEvents += more;
  }

  ManualStream open() {
    return new ManualStream();
  }

  /** A stream whose events are numbered from 1; it has reached those up to a number. */
  final class ManualStream implements DeviceStream {

    private long recorded;
    private long reached;

    /** {@return the number of recorded events} */
    synchronized long recorded() {
      return recorded;
    }

    synchronized long reached() {
      return reached;
    }

    /** Completes an event and all events before it. */
    synchronized void reach(long moment) {
      reached = Math.max(reached, moment);
      notifyAll();
    }

    @Override
    public synchronized DeviceEvent record() {
      event(1);
      return new Moment(this, ++recorded);
    }

    @Override
    public boolean equals(Object other) {
      look();
      return this == other;
    }

    @Override
    public int hashCode() {
      look();
      return System.identityHashCode(this);
    }

    @Override
    public Device device() {
      return device;
    }

    @Override
    public void copyFromHost(MemorySegment source, long address) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void copyToHost(long address, MemorySegment target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void copy(long source, long target, long bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void fill(long address, long bytes, byte value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void waitFor(DeviceEvent event) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void synchronize() {
      reach(recorded());
    }

    @Override
    public void close() {}
  }

  /** An event of a stream; a thread that awaits it blocks until the test completes it. */
  private final class Moment implements DeviceEvent {

    private final ManualStream stream;
    private final long number;
    private boolean closed;

    Moment(ManualStream stream, long number) {
      this.stream = stream;
      this.number = number;
    }

    @Override
    public boolean isDone() {
      onQuery.run();
      look();
      checkQuery();
      synchronized (stream) {
        checkOpen();
        return stream.reached >= number;
      }
    }

    @Override
    public void await() {
      synchronized (stream) {
        checkOpen();
        while (stream.reached < number) {
          try {
            stream.wait();
          } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
          }
        }
        checkOpen();
      }
    }

    private void checkOpen() {
      if (closed) {
        throw new IllegalStateException("an event of device 'manual' is closed");
      }
    }

    @Override
    public void close() {
      synchronized (stream) {
        if (!closed) {
          closed = true;
          event(-1);
        }
      }
    }
  }
}
