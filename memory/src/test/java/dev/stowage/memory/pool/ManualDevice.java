package dev.stowage.memory.pool;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/** A device whose streams are as far as the test says, and which counts what it is asked. */
final class ManualDevice implements Device {

  private final SimulatedDevice regions;
  private long looks;
  private long openEvents;

  ManualDevice(long bytes) {
    regions = new SimulatedDevice("manual", bytes);
  }

  /** {@return the number of comparisons of streams and queries of events} */
  synchronized long looks() {
    return looks;
  }

  /** {@return the events that are not closed} */
  synchronized long openEvents() {
    return openEvents;
  }

  private synchronized void look() {
    looks++;
  }

  private synchronized void event(int more) {
    openEvents += more;
  }

  @Override
  public ManualStream openStream() {
    return new ManualStream();
  }

  /** A stream that records one moment after the other. */
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

    /** Lets a moment come, and all before it. */
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
      return ManualDevice.this;
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

  /** The end of what a stream had queued; who waits for it waits until the test lets it come. */
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
      look();
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

  // Regions.

  @Override
  public String name() {
    return regions.name();
  }

  @Override
  public long totalBytes() {
    return regions.totalBytes();
  }

  @Override
  public long availableBytes() {
    return regions.availableBytes();
  }

  @Override
  public long alignmentBytes() {
    return regions.alignmentBytes();
  }

  @Override
  public OptionalLong allocate(long bytes) {
    return regions.allocate(bytes);
  }

  @Override
  public void free(long address, long bytes) {
    regions.free(address, bytes);
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    return regions.resize(address, bytes, newBytes);
  }

  @Override
  public void copyFromHost(MemorySegment source, long address) {
    regions.copyFromHost(source, address);
  }

  @Override
  public void copyToHost(long address, MemorySegment target) {
    regions.copyToHost(address, target);
  }

  @Override
  public void copy(long source, long target, long bytes) {
    regions.copy(source, target, bytes);
  }

  @Override
  public void fill(long address, long bytes, byte value) {
    regions.fill(address, bytes, value);
  }

  @Override
  public MemorySegment allocateStaging(long bytes, Arena arena) {
    return regions.allocateStaging(bytes, arena);
  }

  @Override
  public void close() {
    regions.close();
  }
}
