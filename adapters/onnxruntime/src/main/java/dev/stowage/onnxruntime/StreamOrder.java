package dev.stowage.onnxruntime;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** The streams with queued work that may still use freed memory of a device. */
final class StreamOrder {

  /*
   * ONNX Runtime frees memory of a device when it has queued the work that uses it, not when the
   * work has completed. Later work of the same stream can use the memory at once, since a stream
   * runs its work in order. All other work must wait. Events of a stream could tell when it has
   * used the memory, but a result can be freed after its stream has ended. So a freed range has a
   * mark with the stream, until the device was synchronized:
   *
   *   allocate on A      free        allocate on A: at once, the mark ends
   *   |------ in use ----|-- mark A --|
   *                                   allocate on B: after the device has completed its work
   *
   * Memory that was allocated without a stream has a mark of its own.
   *
   * A stream is its handle in the driver, and a new stream can get the handle of one that was
   * closed. This is safe because a session waits for its streams at the end of each run, before it
   * closes one.
   *
   *   S1  marks do not overlap;
   *   S2  memory in use has no mark.
   *
   * A mark is made before the memory is free for others, and removed when an allocation has got the
   * memory, so that no other thread changes it in between. A synchronization removes the marks that
   * were made before it began.
   */

  /** The stream of memory that was allocated without one. */
  static final long UNKNOWN = 0;

  /** The unit of the allocator's chunks. */
  static final long QUANTUM_BYTES = 256;

  private final Runnable synchronization;

  /** The marks by the starts of their ranges; guarded by this. */
  private final TreeMap<Long, Mark> marks = new TreeMap<>();

  /** The memory in use by addresses; guarded by this. */
  private final Map<Long, Use> uses = new HashMap<>();

  /** The number of synchronizations that have begun; guarded by this. */
  private long epoch;

  private final AtomicLong waits = new AtomicLong();

  private record Use(long end, long stream) {}

  /** A freed range: the end, the last stream, and the synchronizations before the free. */
  private record Mark(long end, long stream, long epoch) {

    boolean isOf(long other) {
      return stream == other && stream != UNKNOWN;
    }
  }

  /**
   * Creates an order without marks.
   *
   * @param synchronization waits until the device has completed all work queued before
   */
  StreamOrder(Runnable synchronization) {
    this.synchronization = synchronization;
  }

  /**
   * Begins the use of allocated memory, after work of other streams that uses it.
   *
   * @param stream the handle of the stream that uses the memory, or {@link #UNKNOWN}
   * @throws RuntimeException if the synchronization of the device fails; nothing changes
   */
  void begin(long address, long bytes, long stream) {
    long end = end(address, bytes);
    if (hasOtherMarks(address, end, stream)) {
      waits.incrementAndGet();
      synchronizeDevice();
    }
    synchronized (this) {
      cut(address, end);
      uses.put(address, new Use(end, stream));
    }
  }

  private static long end(long address, long bytes) {
    return address + (bytes + QUANTUM_BYTES - 1 & -QUANTUM_BYTES);
  }

  private synchronized boolean hasOtherMarks(long address, long end, long stream) {
    Long first = marks.floorKey(address);
    return marks.subMap(first == null ? address : first, true, end, false).values().stream()
        .anyMatch(mark -> mark.end() > address && !mark.isOf(stream));
  }

  /** Removes the marks of a range. */
  private void cut(long address, long end) {
    Map.Entry<Long, Mark> below = marks.lowerEntry(address);
    if (below != null && below.getValue().end() > address) {
      Mark mark = below.getValue();
      marks.put(below.getKey(), new Mark(address, mark.stream(), mark.epoch()));
      putIfLonger(end, mark);
    }
    Map.Entry<Long, Mark> last = marks.lowerEntry(end);
    if (last != null && last.getKey() >= address) {
      putIfLonger(end, last.getValue());
    }
    marks.subMap(address, true, end, false).clear();
  }

  /** Adds the part of a mark behind an address, if there is one. */
  private void putIfLonger(long address, Mark mark) {
    if (mark.end() > address) {
      marks.put(address, mark);
    }
  }

  /** Ends the use of memory before it is free for others; has no effect for other addresses. */
  synchronized void end(long address) {
    Use use = uses.remove(address);
    if (use == null) {
      return;
    }
    long start = address;
    long end = use.end();
    Map.Entry<Long, Mark> below = marks.lowerEntry(address);
    if (below != null && below.getValue().end() == address && isSame(below.getValue(), use)) {
      start = below.getKey();
    }
    Mark above = marks.get(end);
    if (above != null && isSame(above, use)) {
      marks.remove(end);
      end = above.end();
    }
    marks.put(start, new Mark(end, use.stream(), epoch));
  }

  private static boolean isSame(Mark mark, Use use) {
    return mark.stream() == use.stream();
  }

  /**
   * Waits for the device, and forgets the frees before the wait.
   *
   * @throws RuntimeException if the device fails
   */
  void synchronizeDevice() {
    long begun;
    synchronized (this) {
      begun = epoch++;
    }
    synchronization.run();
    synchronized (this) {
      marks.values().removeIf(mark -> mark.epoch() <= begun);
    }
  }

  /** {@return the number of allocations that have waited for the device} */
  long waits() {
    return waits.get();
  }

  /** Checks S1 and S2. */
  synchronized void checkInvariants() {
    long last = Long.MIN_VALUE;
    for (Map.Entry<Long, Mark> each : marks.entrySet()) {
      check(last <= each.getKey(), "S1 marks overlap", each.getKey());
      last = each.getValue().end();
    }
    uses.forEach((address, use) ->
        check(
            marks.entrySet().stream()
                .noneMatch(each ->
                    Math.max(address, each.getKey()) < Math.min(use.end(), each.getValue().end())),
            "S2 memory in use has a mark",
            address));
  }

  private static void check(boolean holds, String broken, long address) {
    if (!holds) {
      throw new AssertionError(String.format(Locale.ROOT, "%s at 0x%x", broken, address));
    }
  }
}
