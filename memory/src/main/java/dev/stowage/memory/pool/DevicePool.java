package dev.stowage.memory.pool;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocationListener;
import dev.stowage.core.bfc.AllocatorReport;
import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
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
 * Memory of a device that is allocated and freed while work that uses it is still queued.
 *
 * <p>Memory is freed with the streams that used it last. It goes to another stream only after what
 * these had queued is done; to the same stream at once, since that does one thing after the other.
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
 * <p>Safe for use by many threads, each with streams of its own. An allocation asks the driver once
 * for each stream with memory freed on it; a free records an event. Both cost O(log n) for n chunks
 * and queued frees. A thread that waits for queued work does not hold up the others.
 *
 * <p>After PyTorch's CUDACachingAllocator and its events.
 */
public final class DevicePool implements AutoCloseable {

  /*
   * `frees` has the chunks that queued work may still use (D1 to D6). A listener may throw: a chunk
   * leaves `frees` before it is freed, and the allocator frees it in any case; a reuse that fails
   * leaves it in `frees`.
   */

  private static final long QUANTUM_BYTES = 256;

  private final String name;
  private final Device device;
  private final Retelling listener;
  private final BfcAllocator allocator;

  /** Guards {@link #frees}, and what the allocator has to do with it. */
  private final Object lock = new Object();

  private final QueuedFrees frees = new QueuedFrees();

  /** A listener that does not hear of refusals after which a request is tried again. */
  private static final class Retelling implements AllocationListener {

    private final AllocationListener listener;

    /** Guarded by the pool's lock. */
    private boolean trying;

    Retelling(AllocationListener listener) {
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
      if (!trying) {
        listener.failed(bytes);
      }
    }
  }

  private DevicePool(
      String name, Device device, BfcOptions options, Optional<AllocationListener> heard) {
    this.name = name;
    this.device = device;
    this.listener = new Retelling(heard.orElse(AllocationListener.none()));
    this.allocator =
        heard.isPresent()
            ? new BfcAllocator(name, device, options, listener)
            : new BfcAllocator(name, device, options);
  }

  /**
   * {@return a pool that holds nothing yet}
   *
   * @param name how messages call it
   * @param device whose memory it is
   * @param options how the pool grows, splits and gives up
   */
  public static DevicePool open(String name, Device device, BfcOptions options) {
    return new DevicePool(name, device, options, Optional.empty());
  }

  /**
   * {@return a pool that holds nothing yet, with a listener}
   *
   * <p>The listener hears of a free when queued work has ended, or when the stream gets the chunk
   * again, which is a free and an allocation.
   *
   * @param name how messages call it
   * @param device whose memory it is
   * @param options how the pool grows, splits and gives up
   * @param listener the listener, such as a {@link dev.stowage.core.trace.TraceRecorder}
   */
  public static DevicePool open(
      String name, Device device, BfcOptions options, AllocationListener listener) {
    return new DevicePool(name, device, options, Optional.of(listener));
  }

  /**
   * {@return the address of bytes that a stream may use for what it queues from now on; a multiple
   * of what {@linkplain Device#kernelAlignmentBytes() kernels} need}
   *
   * <p>Where there is no room, this waits for queued work, the oldest first, until there is. Where
   * that work fails, its stream tells, and its memory is free even so.
   *
   * @param bytes how many
   * @param stream what will use them first; others must wait for it
   * @throws IllegalArgumentException if {@code bytes < 1}, or the stream is of another device
   * @throws BfcOutOfMemoryException if there is no room after all queued work is done
   * @throws DeviceException if the driver fails
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

  /** {@return the address of bytes, or empty if queued work has to end first} */
  private OptionalLong allocateNow(long bytes, DeviceStream stream) {
    freeWhatIsDone();
    Optional<QueuedFrees.Use> own = reusable(stream, bytes);
    if (own.isPresent()) { // and as well aligned: it came from here
      allocator.reuse(own.get().address(), bytes);
      frees.takeOver(own.get());
      return OptionalLong.of(own.get().address());
    }
    long alignment = device.kernelAlignmentBytes();
    if (frees.isEmpty()) {
      return OptionalLong.of(allocator.allocate(bytes, alignment));
    }
    listener.trying = true;
    try {
      return allocator.tryAllocate(bytes, alignment);
    } finally {
      listener.trying = false;
    }
  }

  /** {@return the smallest chunk that holds a request, at most twice it, of one stream alone} */
  private Optional<QueuedFrees.Use> reusable(DeviceStream stream, long bytes) {
    return frees
        .smallestOf(stream, bytes)
        .filter(use -> bytes > 0 && use.bytes() / 2 <= roundedBytes(bytes));
  }

  /** {@return the fewest bytes of a chunk for a request} */
  private static long roundedBytes(long bytes) {
    return bytes > Long.MAX_VALUE - QUANTUM_BYTES
        ? Long.MAX_VALUE
        : (bytes + QUANTUM_BYTES - 1) / QUANTUM_BYTES * QUANTUM_BYTES;
  }

  /** Waits for ends, without the lock; of work that has failed the stream tells. */
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
   * Frees bytes that streams may still use for what they have queued.
   *
   * @param address what {@link #allocate} gave
   * @param users the streams that used it last; none if what used it is known to be done
   * @throws IllegalArgumentException if a stream is of another device
   * @throws IllegalStateException if nothing is in use at {@code address}
   * @throws DeviceException if the driver fails; nothing changes then
   */
  public void free(long address, DeviceStream... users) {
    for (DeviceStream user : users) {
      checkDevice(user);
    }
    checkNotCalledBack();
    synchronized (lock) {
      checkNotQueued(address);
      if (frees.isTakenOver(address)) {
        freeWhatIsDone(); // its earlier use may be
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
              "what is at 0x%x was freed already, and work that uses it is still queued",
              address));
    }
  }

  /** The listener and the device are called while the pool changes. */
  private void checkNotCalledBack() {
    if (Thread.holdsLock(lock)) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' is called by its own listener or device; do that after the call that called it",
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

  /** Frees what no queued work uses; a stream is asked no further than its first that is used. */
  private void freeWhatIsDone() {
    frees.look();
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

  /** {@return the bytes that are freed, and may still be used by queued work} */
  public long queuedBytes() {
    return look(frees::queuedBytes);
  }

  /** {@return what the pool holds and has done; what queued work may still use counts as in use} */
  public AllocatorStatistics statistics() {
    return look(allocator::statistics);
  }

  /** {@return where the memory is now} */
  public AllocatorReport report() {
    return look(allocator::report);
  }

  private <T> T look(Supplier<T> question) {
    boolean calledBack = Thread.holdsLock(lock);
    synchronized (lock) {
      if (!calledBack) {
        freeWhatIsDone();
      }
      return question.get();
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
   * Gives what it can back to the device.
   *
   * @return how many bytes, and what pins the rest
   */
  public TrimResult trim() {
    checkNotCalledBack();
    return look(allocator::trim);
  }

  /**
   * Waits for queued work that uses freed memory, and gives all memory back, whatever is still in
   * use in it. Where that work fails, its stream tells.
   *
   * @throws DeviceException if the driver fails; to close again is to try again
   */
  @Override
  public void close() {
    checkNotCalledBack();
    boolean closed = false;
    while (!closed) {
      List<QueuedFrees.End> awaited;
      synchronized (lock) {
        freeWhatIsDone();
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
