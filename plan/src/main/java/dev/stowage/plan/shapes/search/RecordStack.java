package dev.stowage.plan.shapes.search;

import dev.stowage.plan.base.Alignment;
import java.util.Arrays;
import java.util.BitSet;

/**
 * An order of records, and the records that each of them rests on: those on top of the records
 * before it, at the tasks at which it needs its bytes.
 */
final class RecordStack {

  /*
   * Ranks with the same record on top form runs. A record ends the runs within its ranges, and adds at
   * most two for each range, so that all records together rest on O(n + r) others for n records with
   * r ranges. These do not depend on sizes: a fit for one shape costs O(n + r), however long the
   * lifetimes are.
   */

  private static final int NONE = -1;

  private final int[] order;
  private final long[] alignments;

  /** The index in {@code below} of the first record below each position. */
  private final int[] starts;

  /** Positions in the order; some occur more than once for a position above. */
  private int[] below;

  private int belowCount;

  /**
   * Creates the stack of an order and keeps the arrays.
   *
   * @param ranks the ranks of each record
   * @param alignments the alignment of each record
   * @param order the records, the lowest first
   */
  RecordStack(LiveRanks ranks, long[] alignments, int[] order) {
    this.order = order;
    this.alignments = alignments;
    starts = new int[order.length + 1];
    below = new int[2 * order.length];
    BitSet runs = new BitSet(ranks.count());
    runs.set(0);
    int[] tops = new int[Math.max(1, ranks.count())];
    tops[0] = NONE;
    for (int position = 0; position < order.length; position++) {
      int record = order[position];
      for (int i = ranks.firstRange(record); i < ranks.firstRange(record + 1); i++) {
        put(position, ranks.first(i), ranks.last(i), runs, tops);
      }
      starts[position + 1] = belowCount;
    }
  }

  /**
   * Puts a position on top of some ranks.
   *
   * @param runs the first rank of each run
   * @param tops the position on top of the run that starts at each rank
   */
  private void put(int position, int first, int last, BitSet runs, int[] tops) {
    int run = runs.previousSetBit(first);
    int next = run;
    while (next >= 0 && next <= last) {
      run = next;
      addBelow(tops[run]);
      next = runs.nextSetBit(run + 1);
    }
    if (last + 1 < tops.length && next != last + 1) {
      runs.set(last + 1);
      tops[last + 1] = tops[run];
    }
    runs.clear(first, last + 1);
    runs.set(first);
    tops[first] = position;
  }

  private void addBelow(int top) {
    if (top == NONE) {
      return;
    }
    if (belowCount == below.length) {
      below = Arrays.copyOf(below, 2 * belowCount);
    }
    below[belowCount++] = top;
  }

  /** {@return the number of pairs of a record and one that it rests on, some more than once} */
  int belowCount() {
    return belowCount;
  }

  /**
   * {@return the positions that the record at a position rests on, in the order of their tasks,
   * some more than once}
   */
  int[] below(int position) {
    return Arrays.copyOfRange(below, starts[position], starts[position + 1]);
  }

  /**
   * {@return the total of each shape}
   *
   * @param sizes the size of each record for each shape
   */
  long[] totals(ShapeSizes sizes) {
    int shapes = sizes.shapeCount();
    long[] totals = new long[shapes];
    long[][] ends = new long[order.length][shapes];
    for (int position = 0; position < order.length; position++) {
      long[] end = ends[position];
      for (int i = starts[position]; i < starts[position + 1]; i++) {
        raise(end, ends[below[i]]);
      }
      addSizes(end, sizes.ofRecord(order[position]), alignments[order[position]]);
      raise(totals, end);
    }
    return totals;
  }

  private static void raise(long[] values, long[] others) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.max(values[i], others[i]);
    }
  }

  private static void addSizes(long[] ends, long[] sizes, long alignment) {
    if (alignment == 1) {
      for (int i = 0; i < ends.length; i++) {
        ends[i] += sizes[i];
      }
    } else {
      for (int i = 0; i < ends.length; i++) {
        ends[i] = Alignment.up(ends[i], alignment) + sizes[i];
      }
    }
  }

  /** {@return the total of one shape} */
  long total(long[] sizes) {
    long[] offsets = offsets(sizes);
    long total = 0;
    for (int record = 0; record < offsets.length; record++) {
      total = Math.max(total, offsets[record] + sizes[record]);
    }
    return total;
  }

  /** {@return the offset of each record for one shape} */
  long[] offsets(long[] sizes) {
    long[] offsets = new long[order.length];
    for (int position = 0; position < order.length; position++) {
      long top = 0;
      for (int i = starts[position]; i < starts[position + 1]; i++) {
        int other = order[below[i]];
        top = Math.max(top, offsets[other] + sizes[other]);
      }
      offsets[order[position]] = Alignment.up(top, alignments[order[position]]);
    }
    return offsets;
  }

  /**
   * {@return the positions of a chain of records for one shape, from one with the highest end down
   * to the bottom, each resting on the next}
   */
  int[] criticalPath(long[] sizes) {
    int[] supports = new int[order.length];
    long[] ends = new long[order.length];
    int top = NONE;
    for (int position = 0; position < order.length; position++) {
      int record = order[position];
      long start = 0;
      supports[position] = NONE;
      for (int i = starts[position]; i < starts[position + 1]; i++) {
        if (ends[below[i]] > start) {
          start = ends[below[i]];
          supports[position] = below[i];
        }
      }
      ends[position] = Alignment.up(start, alignments[record]) + sizes[record];
      if (top == NONE || ends[position] > ends[top]) {
        top = position;
      }
    }
    int[] path = new int[order.length];
    int length = 0;
    for (int position = top; position != NONE; position = supports[position]) {
      path[length++] = position;
    }
    return Arrays.copyOf(path, length);
  }
}
