package dev.stowage.plan.fit;

import java.util.Arrays;

/**
 * A list of rectangles: ranks from first to last, inclusive, by bytes from start to end, exclusive.
 *
 * <p>The end of a rectangle without an upper bound is {@link Long#MAX_VALUE}.
 */
final class RectangleList {

  /** The sort keys: first rank, last rank, start, and height in bytes. */
  static final int KEYS = 4;

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

  /** {@return the height of a rectangle; {@link Long#MAX_VALUE} without an upper bound} */
  static long bytes(long start, long end) {
    return end == Long.MAX_VALUE ? Long.MAX_VALUE : end - start;
  }

  /** {@return the value of a key of a rectangle} */
  static long key(int first, int last, long start, long end, int key) {
    return switch (key) {
      case 0 -> first;
      case 1 -> last;
      case 2 -> start;
      default -> bytes(start, end);
    };
  }

  /** {@return the value of a key of the k-th rectangle} */
  long key(int k, int key) {
    return key(first(k), last(k), start(k), end(k), key);
  }

  /** {@return the first key, from {@code key} on, that differs among the rectangles} */
  int varyingKey(int from, int to, int key) {
    for (int by = key; by < key + KEYS; by++) {
      long value = key(from, by % KEYS);
      for (int k = from + 1; k < to; k++) {
        if (key(k, by % KEYS) != value) {
          return by % KEYS;
        }
      }
    }
    throw new AssertionError("N3 equal rectangles");
  }

  /** Partitions the rectangles at a position by a key, with Hoare's selection algorithm. */
  void select(int from, int to, int position, int by) {
    int low = from;
    int high = to;
    while (low < high) {
      long pivot = key((low + high) >>> 1, by);
      int a = low;
      int b = high;
      while (a <= b) {
        while (key(a, by) < pivot) {
          a++;
        }
        while (key(b, by) > pivot) {
          b--;
        }
        if (a <= b) {
          swap(a++, b--);
        }
      }
      if (position <= b) {
        high = b;
      } else if (position >= a) {
        low = a;
      } else {
        return;
      }
    }
  }
}
