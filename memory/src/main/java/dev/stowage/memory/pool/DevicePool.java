package dev.stowage.memory.pool;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocationListener;
import dev.stowage.core.bfc.AllocatorReport;
import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.core.bfc.MonitoredAllocator;
import dev.stowage.core.bfc.RegionChunks;
import dev.stowage.core.bfc.TrimResult;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A pool of device memory that can be freed while queued work still uses it.
 *
 * <p>The caller frees memory with the streams that used it last. The same stream can reuse it at
 * once, because a stream executes its work in order. Other streams can use it after the queued work
 * has completed.
 *
 * <pre>{@code
 * try (DevicePool pool = DevicePool.open("gpu", device, BfcOptions.expandable());
 *     DeviceStream stream = device.openStream()) {
 *   long address = pool.allocate(bytes, stream);
 *   stream.copyFromHost(input, address);
 *   pool.free(address, stream); // before the copy is done
 * }
 * }</pre>
 *
 * <p>Pools are safe for use by many threads, each with its own streams. An allocation queries one
 * event of each stream with queued frees; a free records an event. Both take O(log n) for n chunks
 * and queued frees. A thread that waits for queued work does not block other threads.
 *
 * <p>The events are those of PyTorch's CUDACachingAllocator.
 */
public final class DevicePool implements MonitoredAllocator, AutoCloseable {

  /*
   * `frees` has the chunks that queued work may still use (D1 to D6). A listener may throw: a chunk
   * leaves `frees` before it is freed, and the allocator frees it in any case; a reuse that fails
   * leaves it in `frees`.
   */

  private static final long QUANTUM_BYTES = 256;

  private final String name;
  private final Device device;
  private final PoolListener listener;
  private final BfcAllocator allocator;

  /** Guards {@link #frees} and its relation to the allocator. */
  private final Object lock = new Object();

  private final QueuedFrees frees = new QueuedFrees();

  /** Passes events on, except failures of requests that the pool tries again. */
  private static final class PoolListener implements AllocationListener {

    private final AllocationListener listener;

    /** Guarded by the pool's lock. */
    private boolean isTrying;

    PoolListener(AllocationListener listener) {
      this.listener = listener;
    }

    @Override
    public void allocated(Allocation allocation) {
      listener.allocated(allocation);
    }

    @Override
    public void freed(long id) {
      listener.freed(id);
    }

    @Override
    public void failed(long bytes) {
      if (!isTrying) {
        listener.failed(bytes);
      }
    }
  }

  private DevicePool(
      String name, Device device, BfcOptions options, Optional<AllocationListener> userListener) {
    this.name = name;
    this.device = device;
    this.listener = new PoolListener(userListener.orElse(AllocationListener.none()));
    this.allocator =
        userListener.isPresent()
            ? new BfcAllocator(name, device, options, listener)
            : new BfcAllocator(name, device, options);
  }

  /**
   * {@return a pool without regions}
   *
   * @param name the name in messages
   * @param device the device
   * @param options the options of the allocator
   */
  public static DevicePool open(String name, Device device, BfcOptions options) {
    return new DevicePool(name, device, options, Optional.empty());
  }

  /**
   * {@return a pool without regions, with a listener}
   *
   * <p>The listener gets a free after the queued work has completed. If the stream reuses the chunk
   * earlier, the listener gets a free and an allocation.
   *
   * @param name the name in messages
   * @param device the device
   * @param options the options of the allocator
   * @param listener the listener, such as a {@link dev.stowage.core.trace.TraceRecorder}
   */
  public static DevicePool open(
      String name, Device device, BfcOptions options, AllocationListener listener) {
    return new DevicePool(name, device, options, Optional.of(listener));
  }

  /**
   * {@return the address of memory for work that a stream queues from now on, a multiple of the
   * {@linkplain Device#kernelAlignmentBytes() alignment of kernels}}
   *
   * <p>If there is no room, the call waits for queued work that uses freed memory, the oldest
   * first. If that work fails, its stream reports the failure, and the memory is free.
   *
   * @param bytes the size
   * @param stream the first user of the memory; other streams must wait for it
   * @throws IllegalArgumentException if {@code bytes < 1}, or the stream belongs to another device
   * @throws BfcOutOfMemoryException if there is no room after all queued work has completed
   * @throws DeviceException if a call of the driver fails
   */
  public long allocate(long bytes, DeviceStream stream) {
    checkDevice(stream);
    checkNotCalledBack();
    while (true) {
      List<QueuedFrees.End> awaited;
      synchronized (lock) {
        OptionalLong address = allocateNow(bytes, stream);
        if (address.isPresent()) {
          return address.getAsLong();
        }
        awaited = frees.holdOldest();
      }
      await(awaited);
    }
  }

  /** {@return the address of a chunk, or empty if queued work has to complete first} */
  private OptionalLong allocateNow(long bytes, DeviceStream stream) {
    freeCompleted();
    Optional<QueuedFrees.Use> own = reusable(stream, bytes);
    if (own.isPresent()) { // which is aligned, as all chunks of this pool
      allocator.reuse(own.get().address(), bytes);
      frees.takeOver(own.get());
      return OptionalLong.of(own.get().address());
    }
    long alignment = device.kernelAlignmentBytes();
    if (frees.isEmpty()) {
      return OptionalLong.of(allocator.allocate(bytes, alignment));
    }
    listener.isTrying = true;
    try {
      return allocator.tryAllocate(bytes, alignment);
    } finally {
      listener.isTrying = false;
    }
  }

  /**
   * {@return the smallest chunk for a request, at most twice as large, that only one stream uses}
   */
  private Optional<QueuedFrees.Use> reusable(DeviceStream stream, long bytes) {
    return frees
        .smallestOf(stream, bytes)
        .filter(use -> bytes > 0 && use.bytes() / 2 <= roundedBytes(bytes));
  }

  /** {@return the bytes of the smallest chunk for a request} */
  private static long roundedBytes(long bytes) {
    return bytes > Long.MAX_VALUE - QUANTUM_BYTES
        ? Long.MAX_VALUE
        : (bytes + QUANTUM_BYTES - 1) / QUANTUM_BYTES * QUANTUM_BYTES;
  }

  /** Waits for ends without the lock. The stream reports work that failed. */
  private void await(List<QueuedFrees.End> ends) {
    try {
      for (QueuedFrees.End end : ends) {
        await(end.event());
      }
    } finally {
      synchronized (lock) {
        frees.release(ends);
      }
    }
  }

  private static void await(DeviceEvent end) {
    try {
      end.await();
    } catch (DeviceException | IllegalStateException failed) {
      if (!end.isDone()) {
        throw failed;
      }
    }
  }

  /**
   * Frees memory that queued work may still use.
   *
   * @param address a result of {@link #allocate}
   * @param users the streams that used the memory last; none if their work has completed
   * @throws IllegalArgumentException if a stream belongs to another device
   * @throws IllegalStateException if no memory is in use at {@code address}
   * @throws DeviceException if a call of the driver fails; nothing changes
   */
  public void free(long address, DeviceStream... users) {
    for (DeviceStream user : users) {
      checkDevice(user);
    }
    checkNotCalledBack();
    synchronized (lock) {
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

  /** Rejects calls of the listener and of the device, which run while the pool changes. */
  private void checkNotCalledBack() {
    if (Thread.holdsLock(lock)) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' cannot be called by its own listener or device; call it after they have returned",
              name));
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

  /** Frees the chunks that no queued work uses. */
  private void freeCompleted() {
    frees.pollEvents();
    Optional<QueuedFrees.Use> done = frees.removeDone();
    while (done.isPresent()) {
      allocator.free(done.get().address());
      done = frees.removeDone();
    }
  }

  private void checkDevice(DeviceStream stream) {
    if (!stream.device().equals(device)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a stream of device '%s' cannot use memory of device '%s'",
              stream.device().name(),
              device.name()));
    }
  }

  /** {@return the name in messages} */
  @Override
  public String name() {
    return name;
  }

  /** {@return the freed bytes that queued work may still use} */
  public long queuedBytes() {
    return afterFreeing(frees::queuedBytes);
  }

  /** {@return the statistics; freed memory that queued work may still use counts as in use} */
  @Override
  public AllocatorStatistics statistics() {
    return afterFreeing(allocator::statistics);
  }

  /** {@return the number of requests so far that threw a {@link BfcOutOfMemoryException}} */
  @Override
  public long failedRequests() {
    return allocator.failedRequests();
  }

  /** {@return a report of the memory in use and free; takes O(chunks)} */
  @Override
  public AllocatorReport report() {
    return afterFreeing(allocator::report);
  }

  /**
   * {@return the regions with all chunks, free ones included, at one moment; freed memory that
   * queued work may still use is marked; takes O(chunks)}
   */
  @Override
  public List<RegionChunks> chunks() {
    return afterFreeing(() ->
        allocator.chunks().stream()
            .map(region -> region.withPendingFrees(frees::isQueued))
            .toList());
  }

  private <T> T afterFreeing(Supplier<T> result) {
    boolean calledBack = Thread.holdsLock(lock);
    synchronized (lock) {
      if (!calledBack) {
        freeCompleted();
      }
      return result.get();
    }
  }

  /** Checks D1 to D6 and the allocator's invariants. */
  void checkInvariants() {
    synchronized (lock) {
      allocator.checkInvariants();
      frees.checkInvariants(allocator);
    }
  }

  /**
   * Returns free memory to the device.
   *
   * @return the returned bytes, and the chunks that pin the other regions
   */
  @Override
  public TrimResult trim() {
    checkNotCalledBack();
    return afterFreeing(allocator::trim);
  }

  /**
   * Waits for queued work that uses freed memory, and returns all memory, including memory in use.
   * If that work fails, its stream reports the failure.
   *
   * @throws DeviceException if a call of the driver fails; the caller may try again
   */
  @Override
  public void close() {
    checkNotCalledBack();
    boolean closed = false;
    while (!closed) {
      List<QueuedFrees.End> awaited;
      synchronized (lock) {
        freeCompleted();
        awaited = frees.holdAny();
        if (awaited.isEmpty()) {
          allocator.close();
          closed = true;
        }
      }
      await(awaited);
    }
  }
}
