package dev.stowage.plan.fit;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.time.ExpiryQueue;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Places records in the order of their first tasks with a segregated fit, in O(n log n).
 *
 * <p>The planner simulates an allocator with size classes and coalescing (Wilson et al., "Dynamic
 * Storage Allocation: A Survey and Critical Review", 1995). A record takes the most recently freed
 * chunk of the smallest class with only large enough chunks. All other records lie above the pinned
 * ones. A record with gaps holds its bytes during the gaps, too. Records with the same first task
 * are placed by index.
 */
public final class ArrivalFit {

  /*
   *   A1  the chunks tile the bytes from the end of the pinned records to `end`, and `below` and
   *       `above` link them by address;
   *   A2  no two neighbouring chunks are free;
   *   A3  the list of a class holds the free chunks of its sizes, each once, and usedClasses is the
   *       set of the classes with a chunk.
   *
   * Each power of two has eight size classes of equal width.
   */

  private static final int NONE = -1;
  private static final int CLASSES = 61 * 8;

  private final PlanProblem problem;
  private final long[] starts;
  private final long[] ends;
  private final int[] below;
  private final int[] above;
  private final boolean[] isFree;
  private final int[] nextOfClass;
  private final int[] previousOfClass;
  private final int[] firstOfClass = new int[CLASSES];
  private final BitSet usedClasses = new BitSet(CLASSES);

  /** The first unused entry of the chunk arrays; {@link #above} links to the next one. */
  private int firstUnused = NONE;

  private int chunkCount;
  private int last = NONE;

  /** The end of the pinned records. */
  private long pinnedEnd;

  /** The end of the last chunk. */
  private long end;

  private ArrivalFit(PlanProblem problem) {
    this.problem = problem;
    // One for each live record, one between any two of them, and one while a chunk is split.
    int maxChunks = 2 * problem.records().size() + 2;
    starts = new long[maxChunks];
    ends = new long[maxChunks];
    below = new int[maxChunks];
    above = new int[maxChunks];
    isFree = new boolean[maxChunks];
    nextOfClass = new int[maxChunks];
    previousOfClass = new int[maxChunks];
    Arrays.fill(firstOfClass, NONE);
  }

  /** {@return a valid plan} */
  public static OffsetsAssignment plan(PlanProblem problem) {
    return plan(problem, fit -> {});
  }

  /** {@return the same plan; {@code afterEach} receives the state after each placed record} */
  static OffsetsAssignment plan(PlanProblem problem, Consumer<ArrivalFit> afterEach) {
    return new ArrivalFit(problem).place(afterEach);
  }

  private OffsetsAssignment place(Consumer<ArrivalFit> afterEach) {
    List<TensorUsageRecord> records = problem.records();
    long[] offsets = new long[records.size()];
    for (int i = 0; i < offsets.length; i++) {
      if (records.get(i).pinnedOffset().isPresent()) {
        offsets[i] = records.get(i).pinnedOffset().getAsLong();
        pinnedEnd = Math.max(pinnedEnd, offsets[i] + records.get(i).bytes());
      }
    }
    end = pinnedEnd;
    ExpiryQueue live = new ExpiryQueue();
    for (int i : IndexOrder.ascending(offsets.length, r -> records.get(r).firstTask())) {
      TensorUsageRecord record = records.get(i);
      if (record.pinnedOffset().isEmpty() && record.bytes() > 0) {
        live.expireBefore(record.firstTask(), this::free);
        int chunk = allocate(record.bytes(), problem.alignmentOf(record));
        offsets[i] = starts[chunk];
        live.add(record.lastTask(), chunk);
        afterEach.accept(this);
      }
    }
    return OffsetsAssignment.inSmallestArena(problem, offsets);
  }

  /** {@return a chunk in use for {@code bytes} that starts at a multiple of {@code alignment}} */
  private int allocate(long bytes, long alignment) {
    // Large enough for the record and its padding at any start of the chunk.
    long minBytes = bytes + alignment - 1;
    int minClass = classOf(minBytes);
    int found = usedClasses.nextSetBit(minBytes == minBytesOf(minClass) ? minClass : minClass + 1);
    int chunk = found >= 0 ? firstOfClass[found] : growLast(minBytes);
    removeFree(chunk);
    long offset = Alignment.up(starts[chunk], alignment);
    if (starts[chunk] < offset) {
      int padding = chunk;
      chunk = split(padding, offset);
      addFree(padding);
    }
    if (offset + bytes < ends[chunk]) {
      addFree(split(chunk, offset + bytes));
    }
    return chunk;
  }

  /** Grows the last chunk, or adds one if it is in use, and {@return that chunk, free} */
  private int growLast(long minBytes) {
    if (last != NONE && isFree[last]) {
      removeFree(last);
    } else {
      int chunk = add(end, end, last, NONE);
      if (last != NONE) {
        above[last] = chunk;
      }
      last = chunk;
    }
    ends[last] = starts[last] + minBytes;
    end = ends[last];
    addFree(last);
    return last;
  }

  /** Splits a chunk at an offset and {@return the upper part} */
  private int split(int chunk, long at) {
    int upper = add(at, ends[chunk], chunk, above[chunk]);
    if (above[chunk] == NONE) {
      last = upper;
    } else {
      below[above[chunk]] = upper;
    }
    above[chunk] = upper;
    ends[chunk] = at;
    return upper;
  }

  private int add(long start, long chunkEnd, int chunkBelow, int chunkAbove) {
    int chunk = firstUnused;
    if (chunk == NONE) {
      chunk = chunkCount++;
    } else {
      firstUnused = above[chunk];
    }
    starts[chunk] = start;
    ends[chunk] = chunkEnd;
    below[chunk] = chunkBelow;
    above[chunk] = chunkAbove;
    return chunk;
  }

  /** Frees a chunk and merges it with its free neighbours. */
  private void free(int chunk) {
    int merged = chunk;
    if (above[chunk] != NONE && isFree[above[chunk]]) {
      removeFree(above[chunk]);
      mergeWithAbove(chunk);
    }
    if (below[chunk] != NONE && isFree[below[chunk]]) {
      merged = below[chunk];
      removeFree(merged);
      mergeWithAbove(merged);
    }
    addFree(merged);
  }

  private void mergeWithAbove(int chunk) {
    int upper = above[chunk];
    ends[chunk] = ends[upper];
    above[chunk] = above[upper];
    if (above[upper] == NONE) {
      last = chunk;
    } else {
      below[above[upper]] = chunk;
    }
    above[upper] = firstUnused;
    firstUnused = upper;
  }

  /** Marks a chunk as free and adds it to the list of its class. */
  private void addFree(int chunk) {
    int sizeClass = classOf(ends[chunk] - starts[chunk]);
    int next = firstOfClass[sizeClass];
    isFree[chunk] = true;
    previousOfClass[chunk] = NONE;
    nextOfClass[chunk] = next;
    if (next != NONE) {
      previousOfClass[next] = chunk;
    }
    firstOfClass[sizeClass] = chunk;
    usedClasses.set(sizeClass);
  }

  /** Marks a chunk as in use and removes it from the list of its class. */
  private void removeFree(int chunk) {
    int sizeClass = classOf(ends[chunk] - starts[chunk]);
    int next = nextOfClass[chunk];
    int previous = previousOfClass[chunk];
    isFree[chunk] = false;
    if (next != NONE) {
      previousOfClass[next] = previous;
    }
    if (previous != NONE) {
      nextOfClass[previous] = next;
    } else {
      firstOfClass[sizeClass] = next;
      usedClasses.set(sizeClass, next != NONE);
    }
  }

  /** {@return the size class of a number of bytes} */
  private static int classOf(long bytes) {
    if (bytes < 8) {
      return (int) bytes;
    }
    int exponent = 63 - Long.numberOfLeadingZeros(bytes);
    return (exponent - 2) * 8 + (int) (bytes >>> (exponent - 3) & 7);
  }

  /** {@return the size of the smallest chunk of a class} */
  private static long minBytesOf(int sizeClass) {
    return sizeClass < 8 ? sizeClass : (8L + (sizeClass & 7)) << (sizeClass / 8 - 1);
  }

  /**
   * Checks A1 to A3.
   *
   * @throws AssertionError if one of them does not hold
   */
  void checkInvariants() {
    long start = end;
    int freeCount = 0;
    int upper = NONE;
    for (int chunk = last; chunk != NONE; chunk = below[chunk]) {
      check(ends[chunk] == start && starts[chunk] < start && above[chunk] == upper, "A1", chunk);
      check(!isFree[chunk] || upper == NONE || !isFree[upper], "A2", chunk);
      freeCount += isFree[chunk] ? 1 : 0;
      start = starts[chunk];
      upper = chunk;
    }
    check(start == pinnedEnd, "A1", last);
    for (int sizeClass = 0; sizeClass < CLASSES; sizeClass++) {
      check(usedClasses.get(sizeClass) == (firstOfClass[sizeClass] != NONE), "A3", sizeClass);
      int previous = NONE;
      for (int chunk = firstOfClass[sizeClass]; chunk != NONE; chunk = nextOfClass[chunk]) {
        boolean isInClass = classOf(ends[chunk] - starts[chunk]) == sizeClass;
        check(isFree[chunk] && isInClass && previousOfClass[chunk] == previous, "A3", chunk);
        previous = chunk;
        freeCount--;
      }
    }
    check(freeCount == 0, "A3", freeCount);
  }

  private static void check(boolean holds, String label, int index) {
    if (!holds) {
      throw new AssertionError(label + " does not hold at " + index);
    }
  }
}
