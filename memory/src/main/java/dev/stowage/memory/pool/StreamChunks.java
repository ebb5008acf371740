package dev.stowage.memory.pool;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The chunks of a {@link DevicePool}, with frees and reads of chunks that queued work may still
 * use.
 */
final class StreamChunks {

  /*
   * `frees` has the chunks that queued work may still use, with the invariants D1 to D6. A listener
   * may throw an exception. A chunk therefore leaves `frees` before the allocator frees it, which
   * it does in any case. If a reuse fails, the chunk stays in `frees`.
   *
   * A thread waits for queued work without a lock (`StreamWaits`).
   */

  private final Device device;
  private final RetryListener listener;
  private final BfcAllocator allocator;

  /** Guards the fields below and their contents, which must agree with the allocator. */
  private final PoolLock lock;

  private final QueuedFrees frees = new QueuedFrees();

  private final StreamWaits waits;

  /** The thread that is closing the pool, and waits. */
  private Optional<Thread> closer = Optional.empty();

  StreamChunks(
      String name, Device device, BfcOptions options, Optional<AllocationListener> userListener) {
    this.device = device;
    this.listener = new RetryListener(userListener.orElse(AllocationListener.none()));
    this.allocator =
        userListener.isPresent()
            ? new BfcAllocator(name, device, options, listener)
            : new BfcAllocator(name, device, options);
    this.lock = new PoolLock(allocator);
    this.waits = new StreamWaits(lock, frees);
    AllocatorInternals.of(allocator).becomePool();
  }

  /** Chunks of a private pool. */
  private StreamChunks(
      StreamChunks above,
      String poolName,
      BfcOptions options,
      Optional<AllocationListener> userListener) {
    this.device = above.device;
    this.listener = new RetryListener(userListener.orElse(AllocationListener.none()));
    this.allocator =
        userListener.isPresent()
            ? above.allocator.openPrivatePool(poolName, options, listener)
            : above.allocator.openPrivatePool(poolName, options);
    this.lock = above.lock;
    this.waits = new StreamWaits(lock, frees);
    AllocatorInternals.of(allocator).becomePool();
  }

  /** {@return chunks in regions of their own, within the limit of these} */
  StreamChunks openPrivatePool(
      String poolName, BfcOptions options, Optional<AllocationListener> userListener) {
    return new StreamChunks(this, poolName, options, userListener);
  }

  /** {@return the name in messages} */
  String name() {
    return allocator.name();
  }

  Device device() {
    return device;
  }

  BfcAllocator allocator() {
    return allocator;
  }

  /** {@return the listener of the allocator, without the failures of requests that are repeated} */
  RetryListener listener() {
    return listener;
  }

  /** {@return the lock of the chunks, of waits for queued work, and of the end of the pool} */
  PoolLock lock() {
    return lock;
  }

  /** {@return the chunks that queued work may still use; the lock guards them} */
  QueuedFrees frees() {
    return frees;
  }

  StreamWaits waits() {
    return waits;
  }

  /** Sets the thread that waits to close the pool. The caller holds the lock. */
  void setCloser(Optional<Thread> thread) {
    closer = thread;
  }

  /** Rejects calls while a thread waits to close the pool. The caller holds the lock. */
  void checkNotClosing() {
    if (closer.isPresent()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' is being closed by thread '%s', which waits for queued work",
              name(),
              closer.get().getName()));
    }
  }

  // Freeing.

  /** Frees a chunk that queued work of some streams may still use. */
  void free(long address, DeviceStream... users) {
    for (DeviceStream user : users) {
      checkDevice(user);
    }
    checkNotCalledBack();
    synchronized (lock.inOrder()) {
      checkNotQueued(address);
      if (frees.isTakenOver(address)) {
        freeCompleted(); // its earlier use may be completed
      }
      Optional<Allocation> allocation = allocator.allocation(address);
      if (allocation.isEmpty() || (users.length == 0 && !frees.isTakenOver(address))) {
        allocator.free(address);
      } else {
        List<QueuedFrees.End> ends = record(new LinkedHashSet<>(List.of(users)));
        frees.add(address, allocation.get().bytes(), ends);
        waits.wake();
      }
    }
  }

  private void checkNotQueued(long address) {
    if (frees.isQueued(address)) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the memory at 0x%x is already freed, and queued work still uses it",
              address));
    }
  }

  private static List<QueuedFrees.End> record(Set<DeviceStream> streams) {
    List<QueuedFrees.End> ends = new ArrayList<>();
    try {
      for (DeviceStream stream : streams) {
        ends.add(new QueuedFrees.End(stream, stream.record()));
      }
      return ends;
    } catch (RuntimeException | Error failed) {
      ends.forEach(end -> end.event().close());
      throw failed;
    }
  }

  /** Frees the chunks that no queued work uses, with the lock. */
  void freeCompleted() {
    frees.pollEvents();
    Optional<QueuedFrees.Use> done = frees.removeDone();
    while (done.isPresent()) {
      allocator.free(done.get().address());
      done = frees.removeDone();
    }
  }

  // Checks.

  /** Rejects calls of the listener and of the device, which run while the pool changes. */
  void checkNotCalledBack() {
    if (lock.isCalledBack()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' cannot be called by its own listener or device; call it after they have returned",
              name()));
    }
  }

  void checkDevice(DeviceStream stream) {
    if (!stream.device().equals(device)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a stream of device '%s' cannot use memory of device '%s'",
              stream.device().name(),
              device.name()));
    }
  }

  // Reading.

  /** {@return the freed bytes that queued work may still use} */
  long queuedBytes() {
    return afterFreeing(frees::queuedBytes);
  }

  /** {@return true if a chunk is freed, and queued work may still use it} */
  boolean isQueued(long address) {
    return frees.isQueued(address);
  }

  /**
   * {@return a result, computed with the lock after the chunks of completed work were freed. If a
   * listener or the device calls the method, it takes no lock and frees nothing}
   */
  <T> T afterFreeing(Supplier<T> result) {
    if (lock.isCalledBack()) {
      return result.get();
    }
    synchronized (lock.inOrder()) {
      freeCompleted();
      return result.get();
    }
  }

  /** Checks D1 to D6 and the allocator's invariants. */
  void checkInvariants() {
    synchronized (lock.inOrder()) {
      AllocatorInternals.of(allocator).checkInvariants();
      frees.checkInvariants(allocator);
    }
  }
}
