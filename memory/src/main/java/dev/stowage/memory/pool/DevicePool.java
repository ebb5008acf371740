package dev.stowage.memory.pool;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.InUseReport;
import dev.stowage.allocator.LimitChange;
import dev.stowage.allocator.MonitoredAllocator;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.allocator.TrimResult;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.lifetime.UnclosedReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A pool of device memory that can be freed while queued work still uses it.
 *
 * <p>The caller frees memory and names the streams that used it last. The same stream can reuse the
 * memory at once, because a stream executes its work in order. Other streams can use it after the
 * queued work has completed.
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
 * <p>The pool records and queries events in the same way as PyTorch's CUDACachingAllocator.
 */
public final class DevicePool implements MonitoredAllocator, AutoCloseable {

  private final StreamChunks chunks;
  private final StreamRequests requests;
  private final StreamClosing closing;
  private final HandleWatch watch;

  private DevicePool(StreamClosing closing) {
    this.chunks = closing.chunks();
    this.requests = new StreamRequests(chunks);
    this.closing = closing;
    this.watch = new HandleWatch(chunks.allocator(), false, UnclosedReport::warn);
  }

  /**
   * {@return a pool without regions}
   *
   * @param name the name in messages
   * @param device the device
   * @param options the options of the allocator
   */
  public static DevicePool open(String name, Device device, BfcOptions options) {
    return open(name, device, options, Optional.empty());
  }

  /**
   * {@return a pool without regions that reports to a listener}
   *
   * <p>The listener gets a free after the queued work has completed. If the stream reuses the chunk
   * earlier, the listener gets a free and an allocation.
   *
   * @param name the name in messages
   * @param device the device
   * @param options the options of the allocator
   * @param listener the listener, such as a {@code TraceRecorder}
   */
  public static DevicePool open(
      String name, Device device, BfcOptions options, AllocationListener listener) {
    return open(name, device, options, Optional.of(listener));
  }

  private static DevicePool open(
      String name, Device device, BfcOptions options, Optional<AllocationListener> listener) {
    return new DevicePool(new StreamClosing(new StreamChunks(name, device, options, listener)));
  }

  /** {@return the device} */
  public Device device() {
    return chunks.device();
  }

  // Allocating and freeing.

  /**
   * {@return the address of memory that no queued work uses, such as the contents of a buffer}
   *
   * <p>As {@link #allocate(long, DeviceStream)}, without freed memory that only one stream can
   * reuse.
   *
   * @param bytes the size
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if the pool is closed or is being closed
   * @throws BfcOutOfMemoryException if there is no room after all queued work has completed
   * @throws DeviceException if a call of the driver fails
   */
  public long allocate(long bytes) {
    return requests.allocate(request(bytes), Optional.empty());
  }

  /**
   * {@return the address of memory for work that a stream queues from now on, a multiple of the
   * {@linkplain Device#kernelAlignmentBytes() alignment of kernels}}
   *
   * <p>If there is no room, the call waits for queued work that uses freed memory, the oldest
   * first. If this work fails, its stream reports the failure, and the memory becomes free.
   *
   * @param bytes the size
   * @param stream the first user of the memory; other streams must wait for it
   * @throws IllegalArgumentException if {@code bytes < 1}, or the stream belongs to another device
   * @throws IllegalStateException if the pool is closed or is being closed
   * @throws BfcOutOfMemoryException if there is no room after all queued work has completed
   * @throws DeviceException if a call of the driver fails
   */
  public long allocate(long bytes, DeviceStream stream) {
    return requests.allocate(request(bytes), Optional.of(stream));
  }

  /**
   * {@return the address of memory, as {@link #allocate(long, DeviceStream)}}
   *
   * @param request the size, the alignment and the budget
   * @param stream the first user of the memory; other streams must wait for it
   * @throws IllegalArgumentException if the request is for 0 bytes, its budget belongs to another
   *     allocator, or the stream to another device
   * @throws IllegalStateException if the pool or the budget is closed, or the pool is being closed
   * @throws BfcOutOfMemoryException if the pool or the budget has no room after all queued work has
   *     completed
   * @throws DeviceException if a call of the driver fails
   */
  public long allocate(PoolRequest request, DeviceStream stream) {
    return requests.allocate(request, Optional.of(stream));
  }

  /**
   * {@return the address of memory, or empty if the pool or the budget has no room without a wait}
   *
   * @param request the size, the alignment and the budget
   * @param stream the first user of the memory; other streams must wait for it
   * @throws IllegalArgumentException as {@link #allocate(PoolRequest, DeviceStream)}
   * @throws IllegalStateException if the pool or the budget is closed, or the pool is being closed
   * @throws DeviceException if a call of the driver fails
   */
  public OptionalLong tryAllocate(PoolRequest request, DeviceStream stream) {
    return requests.tryAllocate(request, Optional.of(stream));
  }

  /**
   * {@return the address of memory, waiting for queued work and for frees of other threads if there
   * is no room}
   *
   * <p>The pool serves waiting requests in the order of their arrival, as {@link
   * BfcAllocator#allocateOrWait(long, long, Duration)}.
   *
   * @param request the size, the alignment and the budget
   * @param stream the first user of the memory; other streams must wait for it
   * @param timeout the longest time to wait; if it is not positive, the method does not wait
   * @throws IllegalArgumentException as {@link #allocate(PoolRequest, DeviceStream)}
   * @throws IllegalStateException if the pool or the budget is closed, or is closed during the wait
   * @throws BfcOutOfMemoryException if the pool or the budget has no room when the timeout expires
   * @throws InterruptedException if the thread is interrupted while it waits; nothing is allocated
   * @throws DeviceException if a call of the driver fails; nothing is allocated
   */
  public long allocateOrWait(PoolRequest request, DeviceStream stream, Duration timeout)
      throws InterruptedException {
    return requests.allocateOrWait(request, Optional.of(stream), timeout);
  }

  private static PoolRequest request(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + bytes);
    }
    return PoolRequest.of(bytes);
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
    chunks.free(address, users);
  }

  /**
   * {@return a budget for {@link PoolRequest#chargedTo}, without a parent}
   *
   * <p>Freed memory is charged until queued work has completed or its stream reuses it.
   *
   * @param name the name in messages
   * @param limitBytes the most bytes that may be charged; {@link Long#MAX_VALUE} for no limit
   * @throws IllegalArgumentException if {@code limitBytes < 0}
   */
  public PoolBudget openBudget(String name, long limitBytes) {
    return PoolBudget.root(name, chunks.allocator(), limitBytes, watch);
  }

  /**
   * {@return a private pool, with regions and numbers of its own, within the limit of this pool}
   *
   * <p>A private pool is for a captured graph or a tenant, as in {@link
   * BfcAllocator#openPrivatePool(String, BfcOptions)}. Its memory serves no other requests, even if
   * it is free. This pool does not wait for work that uses freed memory of a private pool. If this
   * pool is closed, its private pools are closed, too.
   *
   * @param poolName the name in messages, behind the name of this pool and a slash
   * @param poolOptions the options of the allocator of the private pool
   * @throws IllegalStateException if the pool is closed
   */
  public DevicePool openPrivatePool(String poolName, BfcOptions poolOptions) {
    return new DevicePool(closing.openPrivatePool(poolName, poolOptions, Optional.empty()));
  }

  /**
   * {@return a private pool that reports to a listener}
   *
   * <p>As {@link #openPrivatePool(String, BfcOptions)}. The listener of this pool does not get the
   * events of its private pools.
   *
   * @param poolName the name in messages, behind the name of this pool and a slash
   * @param poolOptions the options of the allocator of the private pool
   * @param listener the listener
   * @throws IllegalStateException if the pool is closed
   */
  public DevicePool openPrivatePool(
      String poolName, BfcOptions poolOptions, AllocationListener listener) {
    return new DevicePool(closing.openPrivatePool(poolName, poolOptions, Optional.of(listener)));
  }

  /** {@return the bytes that the private pools of this pool hold, also during their close} */
  public long privatePoolBytes() {
    return chunks.allocator().privatePoolBytes();
  }

  // Reading.

  /** {@return the name in messages} */
  @Override
  public String name() {
    return chunks.name();
  }

  /** {@return the options of this pool} */
  public BfcOptions options() {
    return chunks.allocator().options();
  }

  /** {@return the freed bytes that queued work may still use} */
  public long queuedBytes() {
    return chunks.queuedBytes();
  }

  /** {@return the statistics; freed memory that queued work may still use counts as in use} */
  @Override
  public AllocatorStatistics statistics() {
    return chunks.afterFreeing(chunks.allocator()::statistics);
  }

  /** {@return the number of requests so far that threw a {@link BfcOutOfMemoryException}} */
  @Override
  public long failedRequests() {
    return chunks.allocator().failedRequests();
  }

  /** Sets each peak of the statistics to its current value, and the largest chunk to 0. */
  public void clearPeaks() {
    chunks.afterFreeing(() -> {
      chunks.allocator().clearPeaks();
      return true;
    });
  }

  /** {@return a report of the memory in use and free; takes O(chunks)} */
  @Override
  public AllocatorReport report() {
    return chunks.afterFreeing(chunks.allocator()::report);
  }

  /**
   * {@return the regions with all chunks, free ones included, at one moment; freed memory that
   * queued work may still use is marked; takes O(chunks)}
   */
  @Override
  public List<RegionChunks> chunks() {
    return chunks.afterFreeing(() ->
        chunks.allocator().chunks().stream()
            .map(region -> region.withPendingFrees(chunks::isQueued))
            .toList());
  }

  /**
   * {@return the allocations that are not freed, by ascending address; freed memory is not
   * included, even if queued work may still use it; takes O(chunks)}
   */
  public List<Allocation> allocations() {
    return chunks.afterFreeing(() ->
        chunks.allocator().allocations().stream()
            .filter(allocation -> !chunks.isQueued(allocation.address()))
            .toList());
  }

  /** {@return a report of the allocations that are not freed} */
  public InUseReport inUse() {
    return new InUseReport(name(), allocations());
  }

  /** {@return the number of requests that wait for memory} */
  public int waitingRequests() {
    return chunks.allocator().waitingRequests();
  }

  // Returning memory.

  /**
   * Returns free memory to the device.
   *
   * @return the returned bytes, and the chunks that pin the other regions
   */
  @Override
  public TrimResult trim() {
    chunks.checkNotCalledBack();
    return chunks.afterFreeing(chunks.allocator()::trim);
  }

  /**
   * Changes the limit, as {@link BfcAllocator#setLimit}. Freed memory that queued work may still
   * use counts as in use.
   *
   * @param limitBytes the most bytes that the pool may hold; {@link Long#MAX_VALUE} for no limit
   * @return the limit that is now in force
   * @throws IllegalArgumentException as {@link BfcOptions#withLimit}; nothing changes
   * @throws IllegalStateException if the pool is closed
   * @throws DeviceException if the device does not take memory back
   */
  public LimitChange setLimit(long limitBytes) {
    chunks.checkNotCalledBack();
    return chunks.afterFreeing(() -> chunks.allocator().setLimit(limitBytes));
  }

  /**
   * Returns all memory to the device and reports memory in use as leaked; has no effect if the pool
   * is closed.
   *
   * <p>The call does not wait for queued work. Close the streams before the pool: a {@linkplain
   * DeviceStream#close() closed} stream has completed its work.
   *
   * @throws IllegalStateException if queued work may still use freed memory, or another thread
   *     waits in {@link #closeWithin}; nothing changes
   * @throws DeviceException if the device does not take memory back; the pool is closed, and the
   *     caller may try again
   */
  @Override
  public void close() {
    closing.close();
  }

  /**
   * Waits for queued work that uses freed memory, and then returns all memory, as {@link #close()}.
   *
   * <p>The pool rejects new requests during the wait. The call does not wait for memory in use. If
   * queued work fails, its stream reports the failure. If the time is over, the pool stays open,
   * and the result names the obstacle. Private pools that are already closed stay closed.
   *
   * @param timeout the longest time to wait; if it is not positive, the method does not wait
   * @return an empty obstacle if the pool is closed
   * @throws IllegalStateException if another thread waits in this method; nothing changes
   * @throws InterruptedException if the thread is interrupted while it waits; the pool is open as
   *     before
   * @throws DeviceException if a call of the driver fails. If the device does not take memory back,
   *     the pool is closed, and the caller may try again
   */
  public CloseResult closeWithin(Duration timeout) throws InterruptedException {
    return closing.closeWithin(timeout);
  }

  /** Checks D1 to D6 and the allocator's invariants. */
  void checkInvariants() {
    chunks.checkInvariants();
  }
}
