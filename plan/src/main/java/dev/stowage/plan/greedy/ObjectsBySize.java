package dev.stowage.plan.greedy;

import java.util.Arrays;

/** The shared objects of a plan under construction, sorted by bytes, then by id. */
final class ObjectsBySize {

  private final ObjectList objects = new ObjectList();
  private int[] sorted = new int[16];
  private int sortedCount;

  /**
   * Chooses, grows or adds an object for a record of {@code bytes} and {@return its id}
   *
   * <p>It chooses the smallest free object of at least this size; else it grows the largest free
   * object; if none is free, it adds one.
   */
  int choose(long bytes, AssignedObjects assigned) {
    int larger = position(bytes, 0);
    for (int k = larger; k < sortedCount; k++) {
      if (!assigned.isBusy(sorted[k])) {
        return sorted[k];
      }
    }
    int smaller = largestFreeBelow(larger, assigned);
    int object = smaller < 0 ? objects.add(bytes) : remove(smaller);
    objects.growTo(object, bytes);
    insert(object);
    return object;
  }

  /**
   * {@return the position of the largest free object before {@code end}, the lowest id of equal
   * ones; -1 if none is free}
   */
  private int largestFreeBelow(int end, AssignedObjects assigned) {
    int found = -1;
    for (int k = end - 1; k >= 0; k--) {
      if (found >= 0 && objects.bytes(sorted[k]) < objects.bytes(sorted[found])) {
        break;
      }
      if (!assigned.isBusy(sorted[k])) {
        found = k;
      }
    }
    return found;
  }

  /** {@return the position of the first object that is not before (bytes, id)} */
  private int position(long bytes, int id) {
    int low = 0;
    int high = sortedCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int object = sorted[middle];
      long objectBytes = objects.bytes(object);
      if (objectBytes < bytes || (objectBytes == bytes && object < id)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int remove(int position) {
    int object = sorted[position];
    System.arraycopy(sorted, position + 1, sorted, position, sortedCount - position - 1);
    sortedCount--;
    return object;
  }

  private void insert(int object) {
    int position = position(objects.bytes(object), object);
    if (sortedCount == sorted.length) {
      sorted = Arrays.copyOf(sorted, 2 * sortedCount);
    }
    System.arraycopy(sorted, position, sorted, position + 1, sortedCount - position);
    sorted[position] = object;
    sortedCount++;
  }

  /** {@return the size of each object, by id} */
  long[] toArray() {
    return objects.toArray();
  }
}
