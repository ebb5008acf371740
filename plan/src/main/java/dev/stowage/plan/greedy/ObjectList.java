package dev.stowage.plan.greedy;

import java.util.Arrays;

/** The sizes of the shared objects of a plan under construction, by id. */
public final class ObjectList {

  private long[] bytes = new long[16];
  private int count;

  /** Adds an object and {@return its id} */
  public int add(long objectBytes) {
    if (count == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * count);
    }
    bytes[count] = objectBytes;
    return count++;
  }

  /** Grows an object to {@code objectBytes} if it is smaller. */
  public void growTo(int object, long objectBytes) {
    bytes[object] = Math.max(bytes[object], objectBytes);
  }

  long bytes(int object) {
    return bytes[object];
  }

  /** {@return the number of objects} */
  public int count() {
    return count;
  }

  /** {@return the size of each object, by id} */
  public long[] toArray() {
    return Arrays.copyOf(bytes, count);
  }
}
