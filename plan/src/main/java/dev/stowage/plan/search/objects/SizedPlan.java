package dev.stowage.plan.search.objects;

import java.util.Arrays;

/** A plan that follows from the size of the object of each record. */
final class SizedPlan {

  private final SizedRecords records;

  /** For each record, the index of the size of its object. */
  private final int[] sizeOf;

  /** For each size, the number of objects: the largest number of records in one clique. */
  private final int[] objectCounts;

  SizedPlan(SizedRecords records, int[] sizeOf) {
    this.records = records;
    this.sizeOf = sizeOf;
    objectCounts = new int[records.sizes.length];
    int[] live = new int[records.sizes.length];
    int ended = 0;
    for (int r = 0; r < sizeOf.length; r++) { // by ascending first clique
      for (; records.last[records.byLast[ended]] < records.first[r]; ended++) {
        live[sizeOf[records.byLast[ended]]]--;
      }
      int size = sizeOf[r];
      objectCounts[size] = Math.max(objectCounts[size], ++live[size]);
    }
  }

  long bytes() {
    long bytes = 0;
    for (int size = 0; size < objectCounts.length; size++) {
      bytes += records.sizes[size] * objectCounts[size];
    }
    return bytes;
  }

  /** {@return the object of each record, numbered from 0}; a freed object is used again first */
  int[] objectIds() {
    int[][] free = new int[objectCounts.length][]; // stacks of free objects
    int[] freeCounts = objectCounts.clone();
    int objects = 0;
    for (int size = 0; size < free.length; size++) {
      int count = objectCounts[size];
      int next = objects;
      free[size] = new int[count];
      Arrays.setAll(free[size], k -> next + count - 1 - k);
      objects += count;
    }
    int[] ids = new int[sizeOf.length];
    int ended = 0;
    for (int r = 0; r < ids.length; r++) {
      for (; records.last[records.byLast[ended]] < records.first[r]; ended++) {
        int before = records.byLast[ended];
        free[sizeOf[before]][freeCounts[sizeOf[before]]++] = ids[before];
      }
      ids[r] = free[sizeOf[r]][--freeCounts[sizeOf[r]]];
    }
    return ids;
  }
}
