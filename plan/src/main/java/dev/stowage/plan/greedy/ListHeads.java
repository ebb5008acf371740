package dev.stowage.plan.greedy;

import java.util.Arrays;

/** The first record of a list for each object, or -1 if the list is empty, as all are at first. */
final class ListHeads {

  private static final int EMPTY = -1;

  private int[] heads = {};

  int get(int object) {
    return object < heads.length ? heads[object] : EMPTY;
  }

  void set(int object, int record) {
    int length = heads.length;
    if (object >= length) {
      heads = Arrays.copyOf(heads, Math.max(16, 2 * (object + 1)));
      Arrays.fill(heads, length, heads.length, EMPTY);
    }
    heads[object] = record;
  }
}
