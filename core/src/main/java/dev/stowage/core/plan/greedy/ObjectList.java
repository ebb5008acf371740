package dev.stowage.core.plan.greedy;

import java.util.Arrays;

/** The sizes of shared objects, by id, while a plan is made. */
public final class ObjectList {

  private long[] bytes = new long[16];
  private int count;

  /** {@return the id of a new object} */
  public int add(long objectBytes) {
    if (count == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * count);
    }
    bytes[count] = objectBytes;
    return count++;
  }

  /** Makes an object at least {@code objectBytes} large. */
  public void growTo(int object, long objectBytes) {
    bytes[object] = Math.max(bytes[object], objectBytes);
  }

  long bytes(int object) {
    return bytes[object];
  }

  public int count() {
    return count;
  }

  public long[] toArray() {
    return Arrays.copyOf(bytes, count);
  }
}
