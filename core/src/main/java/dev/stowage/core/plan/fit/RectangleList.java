package dev.stowage.core.plan.fit;

import java.util.Arrays;

/**
 * A list of rectangles: ranks from first to last, inclusive, by bytes from start to end, exclusive.
 *
 * <p>The end of a rectangle without an upper bound is {@link Long#MAX_VALUE}.
 */
final class RectangleList {

  /** The number of array entries for each rectangle: first rank, last rank, start, end. */
  private static final int FIELDS = 4;

  private long[] fields;
  private int count;

  RectangleList(int capacity) {
    fields = new long[FIELDS * capacity];
  }

  int count() {
    return count;
  }

  int first(int k) {
    return (int) fields[FIELDS * k];
  }

  int last(int k) {
    return (int) fields[FIELDS * k + 1];
  }

  long start(int k) {
    return fields[FIELDS * k + 2];
  }

  long end(int k) {
    return fields[FIELDS * k + 3];
  }

  void add(int first, int last, long start, long end) {
    if (FIELDS * (count + 1) > fields.length) {
      fields = Arrays.copyOf(fields, Math.max(FIELDS, 2 * fields.length));
    }
    fields[FIELDS * count] = first;
    fields[FIELDS * count + 1] = last;
    fields[FIELDS * count + 2] = start;
    fields[FIELDS * count + 3] = end;
    count++;
  }

  void clear() {
    count = 0;
  }

  void swap(int a, int b) {
    for (int field = 0; field < FIELDS; field++) {
      long value = fields[FIELDS * a + field];
      fields[FIELDS * a + field] = fields[FIELDS * b + field];
      fields[FIELDS * b + field] = value;
    }
  }
}
