package dev.stowage.memory.pool;

import static dev.stowage.memory.lifetime.Invariants.check;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The freed chunks of a pool that queued work may still use. The lock of the pool guards them;
 * without it, listeners read only {@link #queuedBytes()} and {@link #isQueued}.
 */
final class QueuedFrees {

  /*
   * A use of a chunk has an end for each stream that queued work on it. A stream reaches its ends in
   * the order of their recording, so that only the first event of each stream is queried:
   *
   *   stream A   end of use 1, end of use 3, end of use 4 ...
   *   stream B   end of use 2, end of use 3 ...
   *
   *   D1  each queued or taken-over use belongs to a chunk in use;
   *   D2  a stream can reuse a queued use at once if and only if it has all ends of the use;
   *   D3  each use with awaited ends is queued or taken over, so that its chunk is not freed;
   *   D4  the use of a reused chunk is taken over until its ends are reached or the chunk is freed
   *       again. The new owner may free the chunk with other streams or with none, because it does
   *       not know the earlier use;
   *   D5  an end is in the queue of its stream until the stream has reached it;
   *   D6  the count of awaited ends of a use is the number of its ends in the queues of streams.
   *
   * Each of n uses costs O(log n) from its free to its end, and each poll of s streams O(s).
   */

  /** An event that a stream has to reach. */
  static final class End {

    private final DeviceStream stream;
    private final DeviceEvent event;

    /** The use that waits for this end; after a reuse, the later use of the same chunk. */
    private Optional<Use> use;

    private boolean reached;

    /** The number of threads that wait for the event without the lock of the pool. */
    private int waiting;

    End(DeviceStream stream, DeviceEvent event) {
      this.stream = stream;
      this.event = event;
      this.use = Optional.empty();
    }

    DeviceEvent event() {
      return event;
    }

    private void closeIfUnused() {
      if (reached && waiting == 0) {
        event.close();
      }
    }
  }

  /** A use of a chunk by queued work. */
  static final class Use {

    private final long address;
    private final long bytes;
    private final long order;

    /** The streams that the use waited for at the free of its chunk. */
    private final Set<DeviceStream> users = new HashSet<>();

    /** The ends that it waits for or has reached. */
    private final List<End> ends = new ArrayList<>();

    private int awaitedEnds;

    Use(long address, long bytes, long order) {
      this.address = address;
      this.bytes = bytes;
      this.order = order;
    }

    long address() {
      return address;
    }

    long bytes() {
      return bytes;
    }

    boolean isDone() {
      return awaitedEnds == 0;
    }

    private void await(End end) {
      end.use = Optional.of(this);
      ends.add(end);
      users.add(end.stream);
      awaitedEnds++;
    }
  }

  /** The ends of one stream. */
  private static final class StreamQueue {

    private final Deque<End> ends = new ArrayDeque<>();

    /** The chunks that only this stream used: by size, equal ones in the order of their frees. */
    private final TreeSet<Use> own =
        new TreeSet<>(
            Comparator.comparingLong((Use use) -> use.bytes).thenComparingLong(use -> use.order));
  }

  /** The freed chunks by address, in the order of the frees. */
  private final Map<Long, Use> queued = Collections.synchronizedMap(new LinkedHashMap<>());

  /** The earlier uses, by address, of chunks that are in use again. */
  private final Map<Long, Use> takenOver = new LinkedHashMap<>();

  /** The streams with ends to reach. */
  private final Map<DeviceStream, StreamQueue> streams = new LinkedHashMap<>();

  /** Uses that have ended, and are still in {@link #queued}. */
  private final Deque<Use> done = new ArrayDeque<>();

  private final AtomicLong queuedBytes = new AtomicLong();
  private long frees;

  long queuedBytes() {
    return queuedBytes.get();
  }

  boolean isEmpty() {
    return queued.isEmpty();
  }

  boolean isQueued(long address) {
    return queued.containsKey(address);
  }

  /** {@return true if a chunk is in use again, and queued work of its earlier use may still run} */
  boolean isTakenOver(long address) {
    return takenOver.containsKey(address);
  }

  /** {@return true if queued work may still use a freed chunk, or one that is in use again} */
  boolean isAwaited() {
    return !queued.isEmpty() || !takenOver.isEmpty();
  }

  /** {@return the bytes of freed and of reused chunks that queued work may still use} */
  long awaitedBytes() {
    return queuedBytes() + takenOver.values().stream().mapToLong(use -> use.bytes).sum();
  }

  /** {@return the number of streams that have not reached all ends} */
  long streamCount() {
    return streams.values().stream().filter(queue -> !queue.ends.isEmpty()).count();
  }

  /** Queues the free of a chunk. The chunk also waits for its earlier use. */
  void add(long address, long bytes, List<End> ends) {
    Use use = new Use(address, bytes, ++frees);
    ends.forEach(use::await);
    Optional.ofNullable(takenOver.remove(address)).ifPresent(earlier -> join(use, earlier));
    // On one stream, the ends of this use come after the ends of the earlier use.
    ends.forEach(end -> streams.computeIfAbsent(end.stream, _ -> new StreamQueue()).ends.add(end));
    queued.put(address, use);
    queuedBytes.addAndGet(bytes);
    ownerOf(use).ifPresent(queue -> queue.own.add(use));
    if (use.isDone()) {
      done.add(use);
    }
  }

  private static void join(Use use, Use earlier) {
    Set<DeviceStream> users = Set.copyOf(use.users);
    for (End end : earlier.ends) {
      end.use = Optional.empty();
      if (!end.reached && !users.contains(end.stream)) {
        use.await(end);
      }
    }
  }

  /** {@return the queue of the only stream that a use waits for; empty if there are several} */
  private Optional<StreamQueue> ownerOf(Use use) {
    return use.users.size() == 1
        ? Optional.ofNullable(streams.get(use.users.iterator().next()))
        : Optional.empty();
  }

  /** {@return the smallest chunk of at least a size that only the given stream used} */
  Optional<Use> smallestOf(DeviceStream stream, long bytes) {
    return Optional.ofNullable(streams.get(stream))
        .map(queue -> queue.own.ceiling(new Use(0, bytes, 0)));
  }

  /** Moves a chunk that its stream reuses from the queued to the taken-over uses. */
  void takeOver(Use use) {
    remove(use);
    takenOver.put(use.address, use);
  }

  private void remove(Use use) {
    queued.remove(use.address);
    queuedBytes.addAndGet(-use.bytes);
    ownerOf(use).ifPresent(queue -> queue.own.remove(use));
  }

  /** Queries the first events of each stream. */
  void pollEvents() {
    streams
        .values()
        .removeIf(queue -> {
          while (!queue.ends.isEmpty() && queue.ends.getFirst().event.isDone()) {
            reach(queue.ends.removeFirst());
          }
          return queue.ends.isEmpty() && queue.own.isEmpty();
        });
  }

  private void reach(End end) {
    end.reached = true;
    end.closeIfUnused();
    end.use.ifPresent(use -> {
      use.awaitedEnds--;
      if (use.isDone() && !takenOver.remove(use.address, use)) {
        done.add(use);
      }
    });
  }

  /** Removes a chunk that no queued work uses and {@return it, or empty if there is none} */
  Optional<Use> removeDone() {
    Use use = done.pollFirst();
    if (use == null) {
      return Optional.empty();
    }
    remove(use);
    return Optional.of(use);
  }

  // Threads wait for ends without the lock of the pool.

  /** {@return the ends that the oldest queued free waits for. The caller must release them} */
  List<End> holdOldest() {
    return queued.isEmpty() ? List.of() : hold(queued.values().iterator().next());
  }

  /**
   * {@return the ends that some use waits for; none if no use waits. The caller must release them}
   */
  List<End> holdAny() {
    return queued.isEmpty() && !takenOver.isEmpty()
        ? hold(takenOver.values().iterator().next())
        : holdOldest();
  }

  private static List<End> hold(Use use) {
    List<End> held = use.ends.stream().filter(end -> !end.reached).toList();
    held.forEach(end -> end.waiting++);
    return held;
  }

  /** Checks D1 to D6. */
  void checkInvariants(BfcAllocator allocator) {
    queued.values().forEach(use -> checkChunk(use, allocator));
    takenOver.values().forEach(use -> checkChunk(use, allocator));
    check(
        queuedBytes() == queued.values().stream().mapToLong(use -> use.bytes).sum(),
        "D1 queued bytes are not the sum of the queued uses",
        this::queuedBytes);
    checkEnds(queued.values());
    checkEnds(takenOver.values());
    for (Map.Entry<DeviceStream, StreamQueue> each : streams.entrySet()) {
      Set<Use> alone = new HashSet<>(queued.values());
      alone.removeIf(use -> !use.users.equals(Set.of(each.getKey())));
      check(alone.equals(each.getValue().own), "D2 reusable chunks of a stream", each::getKey);
      for (End end : each.getValue().ends) {
        check(!end.reached, "D5 a reached end is queued", each::getKey);
        boolean isKnown = end.use.isEmpty() || isKnown(end.use.get());
        check(isKnown, "D3 an end of a freed chunk", each::getKey);
      }
    }
  }

  private static void checkChunk(Use use, BfcAllocator allocator) {
    boolean isInUse =
        allocator.allocation(use.address).filter(chunk -> chunk.bytes() == use.bytes).isPresent();
    check(isInUse, "D1 a queued free of a chunk that is not in use", () -> use.address);
  }

  private void checkEnds(Collection<Use> uses) {
    for (Use use : uses) {
      List<End> awaited =
          use.ends.stream()
              .filter(end -> !end.reached && end.use.filter(use::equals).isPresent())
              .toList();
      check(use.awaitedEnds == awaited.size(), "D6 count of awaited ends", () -> use.address);
      for (End end : awaited) {
        boolean isQueued =
            Optional.ofNullable(streams.get(end.stream))
                .filter(stream -> stream.ends.contains(end))
                .isPresent();
        check(isQueued, "D5 an awaited end is not queued", () -> use.address);
      }
      boolean isDoneAndTakenOver = use.isDone() && takenOver.containsValue(use);
      check(!isDoneAndTakenOver, "D4 a use without ends is taken over", () -> use.address);
    }
  }

  private boolean isKnown(Use use) {
    return use.equals(queued.get(use.address)) || use.equals(takenOver.get(use.address));
  }

  void release(List<End> held) {
    held.forEach(end -> {
      end.waiting--;
      end.closeIfUnused();
    });
  }
}
