package dev.stowage.memory.pool;

import static dev.stowage.memory.lifetime.Invariants.check;

import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The chunks of a pool that queued work may still use; guarded by the pool's lock. */
final class QueuedFrees {

  /*
   * A use of a chunk has an end for each stream that queued some of it. A stream reaches its ends in
   * the order in which they were recorded, so that only the first one of each stream is asked:
   *
   *   stream A   end of use 1, end of use 3, end of use 4 ...
   *   stream B   end of use 2, end of use 3 ...
   *
   *   D1  a queued use, and one that is taken over, is of a chunk in use;
   *   D2  the uses that a stream can reuse at once are the queued ones of that stream alone;
   *   D3  a use that waits for an end is queued or taken over, so that its chunk is not freed;
   *   D4  a chunk that a stream has reused is taken over, with the ends of its earlier use, until
   *       these are reached or it is freed. Its new owner may free it with other streams or with none,
   *       because it does not know of the earlier use;
   *   D5  an end is in the queue of its stream until the stream has reached it;
   *   D6  a use waits for as many ends as are in queues and count for it.
   *
   * A use costs O(log n) of n from its free to its end, and each look O(s) of s streams.
   */

  /** A moment that a stream has to reach. */
  static final class End {

    private final DeviceStream stream;
    private final DeviceEvent event;

    /** Whose end it is; a use of the same chunk later, if that waits for this one, too. */
    private Optional<Use> use;

    private boolean reached;

    /** How many threads wait for the event, without the pool's lock. */
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

  /** A use of a chunk that queued work has not ended yet. */
  static final class Use {

    private final long address;
    private final long bytes;
    private final long order;

    /** The streams that it waits for, when it was freed. */
    private final Set<DeviceStream> users = new HashSet<>();

    /** The ends that it waits for, or has waited for. */
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

  /** What one stream has to do. */
  private static final class StreamQueue {

    private final Deque<End> ends = new ArrayDeque<>();

    /** What this stream alone has used, the smallest first, the first freed of equal ones. */
    private final TreeSet<Use> own =
        new TreeSet<>(
            Comparator.comparingLong((Use use) -> use.bytes).thenComparingLong(use -> use.order));
  }

  /** By address, in the order of the frees. */
  private final Map<Long, Use> queued = new LinkedHashMap<>();

  /** By address, the earlier uses of chunks that are in use again. */
  private final Map<Long, Use> takenOver = new LinkedHashMap<>();

  /** Of streams that have ends to reach. */
  private final Map<DeviceStream, StreamQueue> streams = new LinkedHashMap<>();

  /** What has ended since it was queued, and is still counted there. */
  private final Deque<Use> done = new ArrayDeque<>();

  private long queuedBytes;
  private long frees;

  long queuedBytes() {
    return queuedBytes;
  }

  boolean isEmpty() {
    return queued.isEmpty();
  }

  boolean isQueued(long address) {
    return queued.containsKey(address);
  }

  /** {@return true if a chunk is in use again, and queued work may still use it from before} */
  boolean isTakenOver(long address) {
    return takenOver.containsKey(address);
  }

  /** Queues the free of a chunk, for which its earlier use has to end, too. */
  void add(long address, long bytes, List<End> ends) {
    Use use = new Use(address, bytes, ++frees);
    ends.forEach(use::await);
    Optional.ofNullable(takenOver.remove(address)).ifPresent(earlier -> join(use, earlier));
    // What the earlier use waits for on a stream comes before the ends of this one there.
    ends.forEach(end -> streams.computeIfAbsent(end.stream, _ -> new StreamQueue()).ends.add(end));
    queued.put(address, use);
    queuedBytes += bytes;
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

  /** {@return the queue of the one stream that a use waits for, empty if there are several} */
  private Optional<StreamQueue> ownerOf(Use use) {
    return use.users.size() == 1
        ? Optional.ofNullable(streams.get(use.users.iterator().next()))
        : Optional.empty();
  }

  /** {@return the smallest chunk of at least some bytes that a stream alone has used} */
  Optional<Use> smallestOf(DeviceStream stream, long bytes) {
    return Optional.ofNullable(streams.get(stream))
        .map(queue -> queue.own.ceiling(new Use(0, bytes, 0)));
  }

  /** Ends the wait of a chunk that its stream has again. */
  void takeOver(Use use) {
    remove(use);
    takenOver.put(use.address, use);
  }

  private void remove(Use use) {
    queued.remove(use.address);
    queuedBytes -= use.bytes;
    ownerOf(use).ifPresent(queue -> queue.own.remove(use));
  }

  /** Asks each stream how far it is. */
  void look() {
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

  /** {@return a chunk that no queued work uses any more, and is in the queue no longer} */
  Optional<Use> removeDone() {
    Use use = done.pollFirst();
    if (use == null) {
      return Optional.empty();
    }
    remove(use);
    return Optional.of(use);
  }

  // Waiting, which is done without the pool's lock.

  /**
   * {@return the ends that the first free in the queue waits for, which the caller must release}
   */
  List<End> holdOldest() {
    return queued.isEmpty() ? List.of() : hold(queued.values().iterator().next());
  }

  /**
   * {@return the ends that some use waits for, none if nothing waits; for the caller to release}
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
        queuedBytes == queued.values().stream().mapToLong(use -> use.bytes).sum(),
        "D1 queued bytes are not the sum of the queued uses",
        () -> queuedBytes);
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
