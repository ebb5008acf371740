package dev.stowage.trace.pytorch;

import java.util.Arrays;

/** A map from numbers to indices of at least 0. Keys are never removed. */
final class LongIntMap {

  /*
   * Open addressing with linear probing: an EMPTY slot ends a search. The table is at most
   * half full.
   */

  private static final int EMPTY = Integer.MIN_VALUE;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private long[] keys = new long[16];
  private int[] values = new int[16];
  private int shift = Long.SIZE - 4;
  private int count;

  LongIntMap() {
    Arrays.fill(values, EMPTY);
  }

  /** {@return the value of a key, or {@code absent}} */
  int get(long key, int absent) {
    int value = values[slot(key)];
    return value == EMPTY ? absent : value;
  }

  /** Sets the value of a key. */
  void put(long key, int value) {
    int slot = slot(key);
    if (values[slot] == EMPTY) {
      if (2 * ++count > keys.length) {
        grow();
        slot = slot(key);
      }
      keys[slot] = key;
    }
    values[slot] = value;
  }

  private int slot(long key) {
    int slot = (int) ((key * MIX) >>> shift);
    while (values[slot] != EMPTY && keys[slot] != key) {
      slot = (slot + 1) & (keys.length - 1);
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[2 * oldKeys.length];
    values = new int[2 * oldKeys.length];
    Arrays.fill(values, EMPTY);
    shift--;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != EMPTY) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }
}
