package dev.stowage.core.plan.fit;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.Alignment;
import dev.stowage.core.plan.base.IndexOrder;
import dev.stowage.core.plan.time.ByFirstTask;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Places records in the order in which they start, each into a free chunk that surely holds it; a
 * plan in O(n log n), whatever the lifetimes.
 *
 * <p>That is an allocator with size classes and coalescing: of the smallest class whose chunks all
 * hold the record, the chunk that became free last. Pinned records stay where they are pinned, and
 * all others lie above them; a record with gaps holds its bytes throughout. Records that start
 * together go by index.
 */
public final class ArrivalFit {

  /*
   *   A1  chunks tile the bytes from the end of the pins to the end of the last chunk, in a list by
   *       address; no two neighbours are both free;
   *   A2  a free chunk is in the list of its class, and a class with chunks is in usedClasses.
   *
   * A class is an eighth of a power of two.
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

  /** Chunks that are of no use, each with the next one in {@link #above}. */
  private int spare = NONE;

  private int chunkCount;
  private int last = NONE;

  /** No record lies above this. */
  private long end;

  private ArrivalFit(PlanProblem problem) {
    this.problem = problem;
    // One for each live record, one between any two of them, and one while two become one.
    int most = 2 * problem.records().size() + 2;
    starts = new long[most];
    ends = new long[most];
    below = new int[most];
    above = new int[most];
    isFree = new boolean[most];
    nextOfClass = new int[most];
    previousOfClass = new int[most];
    Arrays.fill(firstOfClass, NONE);
  }

  public static OffsetsAssignment plan(PlanProblem problem) {
    return new ArrivalFit(problem).place();
  }

  private OffsetsAssignment place() {
    List<TensorUsageRecord> records = problem.records();
    long[] offsets = new long[records.size()];
    for (int i = 0; i < offsets.length; i++) {
      if (records.get(i).pinnedOffset().isPresent()) {
        offsets[i] = records.get(i).pinnedOffset().getAsLong();
        end = Math.max(end, offsets[i] + records.get(i).bytes());
      }
    }
    ByFirstTask walk = new ByFirstTask();
    for (int i : IndexOrder.ascending(offsets.length, r -> records.get(r).firstTask())) {
      TensorUsageRecord record = records.get(i);
      if (record.pinnedOffset().isEmpty() && record.bytes() > 0) {
        walk.expire(record.firstTask(), this::free);
        int chunk = take(record.bytes(), problem.alignmentOf(record));
        offsets[i] = starts[chunk];
        walk.begin(record.lastTask(), chunk);
      }
    }
    return OffsetsAssignment.inSmallestArena(problem, offsets);
  }

  /** {@return a chunk for a record, in use} */
  private int take(long bytes, long alignment) {
    // Wherever it starts, a chunk of that many bytes holds the record behind its padding.
    long least = bytes + alignment - 1;
    int ofLeast = classOf(least);
    int found = usedClasses.nextSetBit(least == leastBytes(ofLeast) ? ofLeast : ofLeast + 1);
    int chunk = found >= 0 ? firstOfClass[found] : chunkAtEnd(least);
    unlist(chunk);
    long offset = Alignment.up(starts[chunk], alignment);
    if (starts[chunk] < offset) {
      int padding = chunk;
      chunk = cut(padding, offset);
      list(padding);
    }
    if (offset + bytes < ends[chunk]) {
      list(cut(chunk, offset + bytes));
    }
    return chunk;
  }

  /** {@return a free chunk at the end, grown to a number of bytes} */
  private int chunkAtEnd(long least) {
    if (last != NONE && isFree[last]) {
      unlist(last);
    } else {
      int chunk = add(end, end, last, NONE);
      if (last != NONE) {
        above[last] = chunk;
      }
      last = chunk;
    }
    ends[last] = starts[last] + least;
    end = ends[last];
    list(last);
    return last;
  }

  /** Cuts a chunk in two and {@return the upper one} */
  private int cut(int chunk, long at) {
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
    int chunk = spare;
    if (chunk == NONE) {
      chunk = chunkCount++;
    } else {
      spare = above[chunk];
    }
    starts[chunk] = start;
    ends[chunk] = chunkEnd;
    below[chunk] = chunkBelow;
    above[chunk] = chunkAbove;
    return chunk;
  }

  private void free(int chunk) {
    int merged = chunk;
    if (above[chunk] != NONE && isFree[above[chunk]]) {
      unlist(above[chunk]);
      mergeWithAbove(chunk);
    }
    if (below[chunk] != NONE && isFree[below[chunk]]) {
      merged = below[chunk];
      unlist(merged);
      mergeWithAbove(merged);
    }
    list(merged);
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
    above[upper] = spare;
    spare = upper;
  }

  private void list(int chunk) {
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

  private void unlist(int chunk) {
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

  private static int classOf(long bytes) {
    if (bytes < 8) {
      return (int) bytes;
    }
    int exponent = 63 - Long.numberOfLeadingZeros(bytes);
    return (exponent - 2) * 8 + (int) (bytes >>> (exponent - 3) & 7);
  }

  /** {@return the size of the smallest chunk of a class} */
  private static long leastBytes(int sizeClass) {
    return sizeClass < 8 ? sizeClass : (8L + (sizeClass & 7)) << (sizeClass / 8 - 1);
  }
}
