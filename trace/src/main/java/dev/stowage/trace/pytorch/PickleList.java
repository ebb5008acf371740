package dev.stowage.trace.pytorch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A list of Python. */
final class PickleList {

  private static final Object[] EMPTY = new Object[0];

  private Object[] items = EMPTY;
  private int count;
  private @Nullable Object reading;

  /** Prepares an empty list for {@code itemCount} items. */
  void reserve(int itemCount) {
    if (items.length == 0 && reading == null) {
      items = new Object[itemCount];
    }
  }

  void add(Object item) {
    if (count == items.length) {
      items = Arrays.copyOf(items, Math.max(4, 2 * count));
    }
    items[count++] = item;
  }

  int count() {
    return count;
  }

  Object get(int index) {
    return items[index];
  }

  /** {@return the result of {@link #setReading}, or null} */
  @Nullable Object reading() {
    return reading;
  }

  /** Replaces the items by the result of reading them. */
  void setReading(Object value) {
    reading = value;
    items = EMPTY;
    count = 0;
  }
}
