package dev.stowage.plan.search.offsets;

import java.util.Arrays;

/**
 * The groups of records that are live at the same sections. A search omits an order of a group if
 * another order is as good.
 *
 * <p>The records of a group have the same alignment and the same obstacles, so all unplaced records
 * of a group have the same lowest offset.
 */
final class RecordGroups {

  private static final int NONE = -1;

  private final Partition partition;

  /** The rank of each record in the order of the search. */
  private final int[] rank;

  /** The end of the last placed record of each group. */
  private final long[] top;

  /** The rank of the last placed record of each group. */
  private final int[] topRank;

  /** For each placed record, {@link #top} of its group before. */
  private final long[] topBefore;

  /** For each placed record, {@link #topRank} of its group before. */
  private final int[] topRankBefore;

  /** For each record, the next equal record of lower rank; -1 if there is none. */
  private final int[] twin;

  RecordGroups(Partition partition) {
    this.partition = partition;
    int count = partition.recordCount();
    rank = new int[count];
    top = new long[count];
    topRank = new int[count];
    topBefore = new long[count];
    topRankBefore = new int[count];
    twin = new int[count];
  }

  /**
   * Starts with no placed record.
   *
   * @param byOrder all records in the order of the search
   */
  void start(int[] byOrder) {
    Arrays.fill(top, NONE);
    int[] last = new int[rank.length];
    Arrays.fill(last, NONE);
    for (int k = 0; k < byOrder.length; k++) {
      int record = byOrder[k];
      rank[record] = k;
      twin[record] = last[partition.equals[record]];
      last[partition.equals[record]] = record;
    }
  }

  int rank(int record) {
    return rank[record];
  }

  /** Updates the group of a record that is placed. */
  void place(int record, long offset) {
    int group = partition.groups[record];
    topBefore[record] = top[group];
    topRankBefore[record] = topRank[group];
    top[group] = offset + partition.bytes[record];
    topRank[group] = rank[record];
  }

  /** Undoes the last {@link #place}. */
  void takeBack(int record) {
    int group = partition.groups[record];
    top[group] = topBefore[record];
    topRank[group] = topRankBefore[record];
  }

  /**
   * {@return true if an unplaced record would lie directly on a record of its group with a higher
   * rank}
   *
   * @param lowest the lowest offset of the record
   */
  boolean isSwapped(int record, long lowest) {
    int group = partition.groups[record];
    return top[group] == lowest
        && rank[record] < topRank[group]
        && partition.bytes[record] % partition.alignment[record] == 0;
  }

  /** {@return an equal record that the search places before; -1 if there is none} */
  int twin(int record) {
    return twin[record];
  }
}
