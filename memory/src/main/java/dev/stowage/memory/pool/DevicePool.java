package dev.stowage.memory.pool;

import dev.stowage.core.bfc.Allocation;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

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
 * for each stream with memory freed on it; a free records an event.
 *
 * <p>After PyTorch's CUDACachingAllocator and its events.
 */
public final class DevicePool implements AutoCloseable {

  /*
   *   Q1  what is in `queued` is in use in the allocator;
   *   Q2  what a stream can have at once was last used by that stream alone;
   *   Q3  what is given to the allocator is used by no queued work;
   *   Q4  what a stream got at once is in `takenOver`, with the end of its earlier use, until it is
   *       freed: that may be with other streams or none, for its new owner knows of no earlier use.
   */

  /** A freed chunk that queued work may still use. */
  private record Queued(
      long address, long bytes, List<DeviceStream> users, List<DeviceEvent> ends) {

    boolean isDone() {
      return ends.stream().allMatch(DeviceEvent::isDone);
    }

    /** Waits until nothing uses it; of work that has failed the stream tells. */
    void await() {
      for (DeviceEvent end : ends) {
        try {
          end.await();
        } catch (DeviceException | IllegalStateException failed) {
          if (!end.isDone()) {
            throw failed;
          }
        }
      }
    }

    boolean isOnlyOf(DeviceStream stream) {
      return users.size() == 1 && users.getFirst().equals(stream);
    }

    /** {@return this chunk, which waits for an earlier use, too} */
    Queued after(Queued earlier) {
      if (users.containsAll(earlier.users)) { // whose streams have done that before
        earlier.forget();
        return this;
      }
      return new Queued(address, bytes, joined(users, earlier.users), joined(ends, earlier.ends));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
      return Stream.concat(first.stream(), second.stream()).toList();
    }

    void forget() {
      ends.forEach(DeviceEvent::close);
    }
  }

  private final Device device;
  private final BfcAllocator allocator;

  /** What may still be used, in the order of the frees. */
  private final List<Queued> queued = new ArrayList<>();

  /** By address, what is in use again, by the stream that has queued the use before. */
  private final Map<Long, Queued> takenOver = new HashMap<>();

  private long queuedBytes;

  private DevicePool(String name, Device device, BfcOptions options) {
    this.device = device;
    this.allocator = new BfcAllocator(name, device, options);
  }

  /**
   * {@return a pool that holds nothing yet}
   *
   * @param name how messages call it
   * @param device whose memory it is
   * @param options how the pool grows, splits and gives up
   */
  public static DevicePool open(String name, Device device, BfcOptions options) {
    return new DevicePool(name, device, options);
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
  public synchronized long allocate(long bytes, DeviceStream stream) {
    checkDevice(stream);
    freeWhatIsDone();
    Optional<Queued> own = smallestOf(stream, bytes);
    if (own.isPresent()) { // and as well aligned: it came from here
      return takeOver(own.get());
    }
    long alignment = device.kernelAlignmentBytes();
    OptionalLong address = allocator.tryAllocate(bytes, alignment);
    while (address.isEmpty() && !queued.isEmpty()) {
      Queued oldest = queued.getFirst();
      oldest.await();
      freeWhatIsDone();
      address = allocator.tryAllocate(bytes, alignment);
    }
    return address.isPresent() ? address.getAsLong() : allocator.allocate(bytes, alignment);
  }

  /** {@return the smallest chunk that holds a request, at most twice it, of one stream alone} */
  private Optional<Queued> smallestOf(DeviceStream stream, long bytes) {
    Optional<Queued> smallest = Optional.empty();
    for (Queued chunk : queued) {
      boolean fits = chunk.bytes() >= bytes && chunk.bytes() / 2 <= bytes;
      if (fits
          && chunk.isOnlyOf(stream)
          && (smallest.isEmpty() || chunk.bytes() < smallest.get().bytes())) {
        smallest = Optional.of(chunk);
      }
    }
    return smallest;
  }

  private long takeOver(Queued chunk) {
    queued.remove(chunk);
    queuedBytes -= chunk.bytes();
    takenOver.put(chunk.address(), chunk);
    return chunk.address();
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
  public synchronized void free(long address, DeviceStream... users) {
    for (DeviceStream user : users) {
      checkDevice(user);
    }
    boolean isQueued = queued.stream().anyMatch(chunk -> chunk.address() == address);
    if (isQueued) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "what is at 0x%x was freed already, and work that uses it is still queued",
              address));
    }
    Optional<Queued> earlier = Optional.ofNullable(takenOver.get(address));
    boolean isUnused = users.length == 0 && earlier.stream().allMatch(Queued::isDone);
    Optional<Allocation> allocation = allocator.allocation(address);
    if (isUnused || allocation.isEmpty()) {
      allocator.free(address);
      earlier.ifPresent(Queued::forget);
    } else {
      long bytes = allocation.get().bytes();
      Queued chunk = new Queued(address, bytes, List.of(users), record(users));
      queued.add(earlier.map(chunk::after).orElse(chunk));
      queuedBytes += bytes;
    }
    takenOver.remove(address);
  }

  private static List<DeviceEvent> record(DeviceStream... streams) {
    List<DeviceEvent> events = new ArrayList<>();
    boolean recorded = false;
    try {
      for (DeviceStream stream : streams) {
        events.add(stream.record());
      }
      recorded = true;
    } finally {
      if (!recorded) {
        events.forEach(DeviceEvent::close);
      }
    }
    return events;
  }

  /** Frees what no queued work uses; a stream is asked no further than its first that is used. */
  private void freeWhatIsDone() {
    Set<DeviceStream> busy = new HashSet<>();
    for (Iterator<Queued> chunks = queued.iterator(); chunks.hasNext(); ) {
      Queued chunk = chunks.next();
      if (chunk.users().stream().noneMatch(busy::contains) && chunk.isDone()) {
        chunks.remove();
        queuedBytes -= chunk.bytes();
        chunk.forget();
        allocator.free(chunk.address());
      } else {
        busy.addAll(chunk.users());
      }
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

  /** {@return how many bytes are freed, and may still be used by queued work} */
  public synchronized long queuedBytes() {
    freeWhatIsDone();
    return queuedBytes;
  }

  /** {@return what the pool holds and has done; what queued work may still use counts as in use} */
  public synchronized AllocatorStatistics statistics() {
    freeWhatIsDone();
    return allocator.statistics();
  }

  /** {@return where the memory is now} */
  public synchronized AllocatorReport report() {
    freeWhatIsDone();
    return allocator.report();
  }

  /**
   * Gives what it can back to the device.
   *
   * @return how many bytes, and what pins the rest
   */
  public synchronized TrimResult trim() {
    freeWhatIsDone();
    return allocator.trim();
  }

  /**
   * Waits for queued work that uses freed memory, and gives all memory back, whatever is still in
   * use in it. Where that work fails, its stream tells.
   *
   * @throws DeviceException if the driver fails; to close again is to try again
   */
  @Override
  public synchronized void close() {
    queued.forEach(Queued::await);
    takenOver.values().forEach(Queued::await);
    takenOver.values().forEach(Queued::forget);
    takenOver.clear();
    freeWhatIsDone();
    allocator.close();
  }
}
