package dev.stowage.plan.search.objects;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The records of each shared object, with changes that are committed or rolled back together. */
public final class ObjectMembers {

  /*
   *   M1  the members of an object are sorted by first rank, and no two of them share a rank;
   *   M2  a record is a member of objectOf(record) only, and of no object if that is NONE.
   *
   * Before the first change of an object, its members are copied. So a rollback costs O(n) for n
   * members of changed objects.
   */

  /** The object of a record that is a member of none; the absence of a record. */
  public static final int NONE = -1;

  private final ObjectRecords records;
  private final int[] objectOf;
  private final int[][] members;
  private final int[] counts;

  /** The former members of each changed object; null for other objects. */
  private final int[] @Nullable [] saved;

  /** The changed objects. */
  private final int[] changed;

  private int changedCount;

  /**
   * Creates the objects of a valid plan.
   *
   * @param records the records, which are the members
   * @param objectIds the object of each record
   * @param objectCount the number of objects, including empty ones
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

  /** {@return the bytes of the largest member; 0 if there is none} */
  long bytes(int object) {
    long largest = 0;
    for (int k = 0; k < counts[object]; k++) {
      largest = Math.max(largest, records.bytes()[members[object][k]]);
    }
    return largest;
  }

  /** {@return the position of the first member that ends at a rank or later} */
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

  /** {@return the first member that conflicts with a record, or {@link #NONE}} */
  int conflict(int record, int object) {
    int k = firstEndingAtOrAfter(records.firstRanks()[record], object);
    return isConflict(record, object, k) ? members[object][k] : NONE;
  }

  private boolean isConflict(int record, int object, int k) {
    return k < counts[object]
        && records.firstRanks()[members[object][k]] <= records.lastRanks()[record];
  }

  /**
   * {@return the sum of the penalties of the members that conflict with a record; if it exceeds
   * {@code limit}, some sum above {@code limit}}
   */
  long penaltyOfConflicts(int record, int object, int[] penalties, long limit) {
    long sum = 0;
    int k = firstEndingAtOrAfter(records.firstRanks()[record], object);
    for (; sum <= limit && isConflict(record, object, k); k++) {
      sum += penalties[members[object][k]];
    }
    return sum;
  }

  /** Adds a record that is no member to an object without a conflicting record. */
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

  /** Removes a record from its object. */
  void remove(int record) {
    int object = objectOf[record];
    save(object);
    int k = firstEndingAtOrAfter(records.firstRanks()[record], object);
    int count = --counts[object];
    System.arraycopy(members[object], k + 1, members[object], k, count - k);
    objectOf[record] = NONE;
  }

  /** Copies the members of an object before its first change. */
  private void save(int object) {
    if (saved[object] == null) {
      saved[object] = Arrays.copyOf(members[object], counts[object]);
      changed[changedCount++] = object;
    }
  }

  /** Makes the changes permanent. */
  void commit() {
    while (changedCount > 0) {
      saved[changed[--changedCount]] = null;
    }
  }

  /** Undoes all changes since the last {@link #commit}. */
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

  /**
   * Checks M1 and M2.
   *
   * @throws AssertionError if one of them does not hold
   */
  void checkInvariants() {
    int memberCount = 0;
    for (int object = 0; object < counts.length; object++) {
      memberCount += counts[object];
      for (int k = 0; k < counts[object]; k++) {
        int record = members[object][k];
        if (k > 0 && records.lastRanks()[members[object][k - 1]] >= records.firstRanks()[record]) {
          throw new AssertionError("M1 does not hold for member " + k + " of object " + object);
        }
        if (objectOf[record] != object) {
          throw new AssertionError("M2 does not hold for record " + record);
        }
      }
    }
    if (memberCount != Arrays.stream(objectOf).filter(object -> object != NONE).count()) {
      throw new AssertionError("M2 does not hold for " + memberCount + " members");
    }
  }
}
