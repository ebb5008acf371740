package dev.stowage.trace.pytorch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A dict of Python: keys and their values in the order of the pickle. It has no index, because a
 * reader looks at a dict once. The last value of a key is valid.
 */
final class PickleDict {

  private static final Object[] EMPTY = new Object[0];

  private Object[] items = EMPTY;
  private int itemCount;
  private @Nullable Object reading;

  /** Appends items: keys, each followed by its value. */
  void putAll(Object[] source, int from, int to) {
    int newCount = itemCount + to - from;
    if (newCount > items.length) {
      items = Arrays.copyOf(items, itemCount == 0 ? newCount : Math.max(newCount, 2 * itemCount));
    }
    System.arraycopy(source, from, items, itemCount, to - from);
    itemCount = newCount;
  }

  /** {@return the number of keys; a key counts as often as it was set} */
  int count() {
    return itemCount / 2;
  }

  Object key(int index) {
    return items[2 * index];
  }

  Object value(int index) {
    return items[2 * index + 1];
  }

  /** {@return the value of a key, or null if the dict has none} */
  @Nullable Object get(String key) {
    for (int i = count() - 1; i >= 0; i--) {
      if (key.equals(key(i))) {
        return value(i);
      }
    }
    return null;
  }

  /** {@return the result of {@link #setReading}, or null} */
  @Nullable Object reading() {
    return reading;
  }

  /** Keeps the result of reading this dict, so that each dict is read once. */
  void setReading(Object value) {
    reading = value;
  }
}
