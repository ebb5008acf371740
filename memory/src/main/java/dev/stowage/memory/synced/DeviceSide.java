package dev.stowage.memory.synced;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.pool.DevicePool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;

/** The copy on a device; guarded by the lock of the buffer. */
final class DeviceSide implements Side {

  private final String buffer;
  private final long bufferBytes;
  private final DevicePool source;
  private final Freshness freshness;
  private Optional<Memory> memory = Optional.empty();

  /** The lease of device data that was handed out for reading, if there is any. */
  private Optional<Lease> readers = Optional.empty();

  private Optional<Lease> writers = Optional.empty();

  /** The events after queued copies to this side; all copies are from one side. */
  private final Deque<DeviceEvent> pushes = new ArrayDeque<>();

  private Optional<Side> pushSource = Optional.empty();

  private record Memory(long address, boolean isOwned) {}

  DeviceSide(String buffer, long bufferBytes, DevicePool source) {
    this.buffer = buffer;
    this.bufferBytes = bufferBytes;
    this.source = source;
    this.freshness = new Freshness(bufferBytes);
  }

  Device device() {
    return source.device();
  }

  @Override
  public Freshness freshness() {
    return freshness;
  }

  @Override
  public boolean isAllocated() {
    return memory.isPresent();
  }

  @Override
  public void allocate() {
    try {
      memory = Optional.of(new Memory(AllocationTag.of(buffer).call(this::allocateMemory), true));
    } catch (DeviceException failed) {
      throw Side.named(
          String.format(
              Locale.ROOT,
              "allocating %s for buffer '%s' on device '%s'",
              ByteCount.exact(bufferBytes),
              buffer,
              device().name()),
          failed);
    }
  }

  private long allocateMemory() {
    return source.allocate(Math.max(1, bufferBytes));
  }

  /** Rejects memory of the caller that the buffer cannot wrap. */
  void checkWrappable(long address) {
    if (owns(address)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "buffer '%s' cannot wrap its own memory on device '%s', which would then be freed: address=0x%x",
              buffer,
              device().name(),
              address));
    }
    if (!device().hasRange(address, bufferBytes)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "buffer '%s' cannot wrap memory that is in no region of device '%s': address=0x%x, bytes=%d; allocate it from the device, or from an allocator over it",
              buffer,
              device().name(),
              address,
              bufferBytes));
    }
  }

  /** {@return true if the caller's memory overlaps the buffer's own memory} */
  private boolean owns(long address) {
    return memory.isPresent()
        && memory.get().isOwned()
        && Math.abs(address - memory.get().address()) < Math.max(1, bufferBytes);
  }

  /** Wraps the caller's memory, even if returning the buffer's own memory then fails. */
  void wrap(long address) {
    replace(Optional.of(new Memory(address, false)));
  }

  @Override
  public void release() {
    replace(Optional.empty());
  }

  private void replace(Optional<Memory> next) {
    Optional<Memory> last = memory;
    memory = next;
    try {
      last.filter(Memory::isOwned).ifPresent(owned -> source.free(owned.address()));
    } catch (DeviceException failed) {
      throw Side.named(
          String.format(
              Locale.ROOT,
              "returning memory of buffer '%s' to device '%s'",
              buffer,
              device().name()),
          failed);
    }
  }

  long address() {
    return memory.orElseThrow().address();
  }

  @Override
  public void zero() {
    if (bufferBytes > 0) {
      device().fill(address(), bufferBytes, (byte) 0);
    }
  }

  /** {@return a range of the memory for the caller; its copies take the lock of the buffer} */
  DeviceData view(Object lock, long offset, long bytes, boolean writing) {
    Lease lease = (writing ? writers : readers).orElseGet(Lease::new);
    if (writing) {
      writers = Optional.of(lease);
    } else {
      readers = Optional.of(lease);
    }
    return new DeviceData(lock, buffer, device(), address() + offset, bytes, writing, lease);
  }

  @Override
  public boolean hasReaders() {
    return readers.isPresent();
  }

  @Override
  public boolean hasWriters() {
    return writers.isPresent();
  }

  @Override
  public void endWriters(Lease.End why) {
    writers.ifPresent(lease -> lease.end(why));
    writers = Optional.empty();
  }

  @Override
  public void endAll(Lease.End why) {
    endWriters(why);
    readers.ifPresent(lease -> lease.end(why));
    readers = Optional.empty();
  }

  void pushed(Side from, DeviceEvent done) {
    pushes.add(done);
    pushSource = Optional.of(from);
  }

  /** {@return true if a queued copy to this side may still read another one} */
  boolean isPushedFrom(Side from) {
    return !pushes.isEmpty() && pushSource.filter(source -> source == from).isPresent();
  }

  String pushDescription() {
    return String.format(
        Locale.ROOT, "pushing buffer '%s' to device '%s'", buffer, device().name());
  }

  /**
   * Waits for all queued copies to this side.
   *
   * @throws DeviceException if one of them failed; the whole side is stale
   */
  void awaitPushes() {
    Optional<RuntimeException> failure = Optional.empty();
    while (!pushes.isEmpty()) {
      try (DeviceEvent done = pushes.remove()) {
        done.await();
      } catch (RuntimeException failed) {
        failure = failure.or(() -> Optional.of(failed));
      }
    }
    if (failure.isPresent()) {
      freshness.outdateAll();
      throw failure.get() instanceof DeviceException failed
          ? Side.named(pushDescription(), failed)
          : failure.get();
    }
  }
}
