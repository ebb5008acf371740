package dev.stowage.core.plan.search.objects;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which records are in which shared object, changed record by record and taken back at once. */
public final class ObjectMembers {

  /*
   *   M1  the members of an object are in the order of their tasks, and no two share one;
   *   M2  a record is a member of objectOf(record), and of none if that is NONE.
   *
   * An object is copied before it changes first, so that taking back costs what was changed.
   */

  public static final int NONE = -1;

  private final ObjectRecords records;
  private final int[] objectOf;
  private final int[][] members;
  private final int[] counts;

  /** The members of each object that has changed, as they were, and which objects these are. */
  private final int[] @Nullable [] saved;

  private final int[] changed;
  private int changedCount;

  /**
   * Objects with members.
   *
   * @param records what can be a member
   * @param objectIds the object of each record; a valid plan
   * @param objectCount how many objects there are, those without members too
   */
  ObjectMembers(ObjectRecords records, int[] objectIds, int objectCount) {
    this.records = records;
    objectOf = new int[objectIds.length];
    members = new int[objectCount][4];
    counts = new int[objectCount];
    saved = new int[objectCount][];
    changed = new int[objectCount];
    for (int i = 0; i < objectIds.length; i++) {
      add(i, objectIds[i]);
    }
    commit();
  }

  int objectCount() {
    return counts.length;
  }

  int objectOf(int record) {
    return objectOf[record];
  }

  int[] objectIds() {
    return objectOf.clone();
  }

  int count(int object) {
    return counts[object];
  }

  int member(int object, int k) {
    return members[object][k];
  }

  /** {@return the size that an object must have} */
  long bytes(int object) {
    long largest = 0;
    for (int k = 0; k < counts[object]; k++) {
      largest = Math.max(largest, records.bytes()[members[object][k]]);
    }
    return largest;
  }

  /** {@return where the first member is that ends at a rank or later} */
  private int firstEndingAtOrAfter(int rank, int object) {
    int[] list = members[object];
    int low = 0;
    int high = counts[object];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (records.lastRanks()[list[middle]] < rank) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** {@return the first member that shares a task with a record, or {@link #NONE}} */
  int conflict(int record, int object) {
    int k = firstEndingAtOrAfter(records.firstRanks()[record], object);
    return isConflict(record, object, k) ? members[object][k] : NONE;
  }

  private boolean isConflict(int record, int object, int k) {
    return k < counts[object]
        && records.firstRanks()[members[object][k]] <= records.lastRanks()[record];
  }

  /** {@return the sum of a weight over the members in the way of a record, at most until it} */
  long penaltyOfConflicts(int record, int object, int[] penalties, long limit) {
    long sum = 0;
    int k = firstEndingAtOrAfter(records.firstRanks()[record], object);
    for (; sum <= limit && isConflict(record, object, k); k++) {
      sum += penalties[members[object][k]];
    }
    return sum;
  }

  void add(int record, int object) {
    save(object);
    int k = firstEndingAtOrAfter(records.firstRanks()[record], object);
    int count = counts[object]++;
    if (count == members[object].length) {
      members[object] = Arrays.copyOf(members[object], 2 * count);
    }
    System.arraycopy(members[object], k, members[object], k + 1, count - k);
    members[object][k] = record;
    objectOf[record] = object;
  }

  void remove(int record) {
    int object = objectOf[record];
    save(object);
    int k = firstEndingAtOrAfter(records.firstRanks()[record], object);
    int count = --counts[object];
    System.arraycopy(members[object], k + 1, members[object], k, count - k);
    objectOf[record] = NONE;
  }

  private void save(int object) {
    if (saved[object] == null) {
      saved[object] = Arrays.copyOf(members[object], counts[object]);
      changed[changedCount++] = object;
    }
  }

  /** Makes what was changed stay. */
  void commit() {
    while (changedCount > 0) {
      saved[changed[--changedCount]] = null;
    }
  }

  /** Takes back everything since the last {@link #commit}. */
  void rollBack() {
    for (int c = 0; c < changedCount; c++) {
      for (int k = 0; k < counts[changed[c]]; k++) {
        objectOf[members[changed[c]][k]] = NONE;
      }
    }
    for (int c = 0; c < changedCount; c++) {
      restore(changed[c], saved[changed[c]]);
    }
    commit();
  }

  private void restore(int object, int @Nullable [] before) {
    if (before != null) {
      System.arraycopy(before, 0, members[object], 0, before.length);
      counts[object] = before.length;
      for (int record : before) {
        objectOf[record] = object;
      }
    }
  }
}
