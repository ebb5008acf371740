package dev.stowage.core.plan;

import java.util.Arrays;

/** The sizes of shared objects, by id, while a plan is made. */
final class ObjectList {

  private long[] bytes = new long[16];
  private int count;

  /** {@return the id of a new object} */
  int add(long objectBytes) {
    if (count == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * count);
    }
    bytes[count] = objectBytes;
    return count++;
  }

  /** Makes an object at least {@code objectBytes} large. */
  void growTo(int object, long objectBytes) {
    bytes[object] = Math.max(bytes[object], objectBytes);
  }

  long bytes(int object) {
    return bytes[object];
  }

  int count() {
    return count;
  }

  long[] toArray() {
    return Arrays.copyOf(bytes, count);
  }
}
