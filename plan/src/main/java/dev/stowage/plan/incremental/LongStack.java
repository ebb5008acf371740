package dev.stowage.plan.incremental;

import java.util.Arrays;

/** A stack of numbers: the entries of a log from which changes are taken back. */
final class LongStack {

  private long[] entries = new long[16];
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void push(long entry) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, 2 * size);
    }
    entries[size++] = entry;
  }

  long pop() {
    return entries[--size];
  }

  /** Removes the entries above a size. */
  void shrinkTo(int newSize) {
    size = newSize;
  }
}
