package dev.stowage.plan.incremental;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.text.Message;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The offsets of GREEDY_BY_SIZE, by rank: the position of a record in the order of placement. */
final class GreedyOffsets {

  /*
   * The offset of a record depends only on the offsets of the earlier ranks that overlap it. If a
   * lifetime changes, the later rank of each pair that begins or ceases to overlap becomes stale.
   * An update visits the stale ranks in ascending order and computes their offsets. If an offset
   * changes, the later ranks that overlap it become stale. An update therefore computes each offset
   * at most once.
   *
   *   C4  A rank that is not stale has the offset that the earlier ranks imply.
   *   C5  Unless `isTotalOpen`, `totalBytes` is the largest end of a record.
   *
   * An offset costs O(n / 64 + k · r) for n records: k of them are earlier and overlap it, and
   * their bytes form r ranges.
   */

  private static final long NOT_PLACED = -1;

  private final LiveOverlaps overlaps;
  private final long[] bytes;
  private final long[] alignments;
  private final long[] offsets;
  private final TakenRanges taken = new TakenRanges();

  /** The bits of the stale ranks: their offsets may be wrong. */
  private final long[] stale;

  private long totalBytes;
  private boolean isTotalOpen = true;

  /** The old offset and the rank of each change since the outermost checkpoint. */
  private final LongStack changes = new LongStack();

  /** For each checkpoint: `stale`, `totalBytes`, `isTotalOpen` and the number of `changes`. */
  private final LongStack checkpoints = new LongStack();

  /**
   * Creates offsets that are all stale.
   *
   * @param order the record of each rank
   */
  GreedyOffsets(PlanProblem problem, int[] order, LiveOverlaps overlaps) {
    this.overlaps = overlaps;
    bytes = new long[order.length];
    alignments = new long[order.length];
    offsets = new long[order.length];
    stale = new long[overlaps.wordCount()];
    Arrays.fill(offsets, NOT_PLACED);
    for (int rank = 0; rank < order.length; rank++) {
      TensorUsageRecord record = problem.records().get(order[rank]);
      bytes[rank] = record.bytes();
      alignments[rank] = problem.alignmentOf(record);
      stale[rank >>> 6] |= 1L << rank;
    }
  }

  /** {@return the bits of the ranks with offsets that may be wrong; the caller may set more} */
  long[] stale() {
    return stale;
  }

  /** {@return the offset of a rank; correct after {@link #update}} */
  long offset(int rank) {
    return offsets[rank];
  }

  /** {@return the largest end of a record; correct after {@link #update}} */
  long totalBytes() {
    return totalBytes;
  }

  /** Computes the stale offsets, and the offsets that depend on them. */
  void update() {
    for (int word = 0; word < stale.length; word++) {
      while (stale[word] != 0) {
        int rank = (word << 6) + Long.numberOfTrailingZeros(stale[word]);
        stale[word] &= stale[word] - 1;
        long offset = computed(rank);
        if (offset != offsets[rank]) {
          move(rank, offset);
        }
      }
    }
    if (isTotalOpen) {
      totalBytes = largestEnd();
      isTotalOpen = false;
    }
  }

  private long largestEnd() {
    long largest = 0;
    for (int rank = 0; rank < offsets.length; rank++) {
      largest = Math.max(largest, offsets[rank] + bytes[rank]);
    }
    return largest;
  }

  private void move(int rank, long offset) {
    if (!checkpoints.isEmpty()) {
      changes.push(offsets[rank]);
      changes.push(rank);
    }
    if (offset + bytes[rank] >= totalBytes) {
      totalBytes = offset + bytes[rank];
    } else if (offsets[rank] + bytes[rank] == totalBytes) {
      isTotalOpen = true; // another record may end there, too
    }
    offsets[rank] = offset;
    int word = rank >>> 6;
    stale[word] |= overlaps.word(rank, word) & laterInWord(rank);
    for (word++; word < stale.length; word++) {
      stale[word] |= overlaps.word(rank, word);
    }
  }

  /** {@return the bits above the bit of a rank} */
  private static long laterInWord(int rank) {
    return -2L << rank;
  }

  /** {@return the bits below the bit of a rank} */
  private static long earlierInWord(int rank) {
    return (1L << rank) - 1;
  }

  /** {@return the offset of a rank, from the offsets of the earlier ranks that overlap it} */
  private long computed(int rank) {
    if (bytes[rank] == 0) {
      return computedOfEmpty(rank);
    }
    taken.clear();
    int lastWord = rank >>> 6;
    for (int word = 0; word < lastWord; word++) {
      take(word, overlaps.word(rank, word));
    }
    take(lastWord, overlaps.word(rank, lastWord) & earlierInWord(rank));
    return taken.tightestGap(bytes[rank], alignments[rank]);
  }

  private void take(int word, long ranks) {
    for (long rest = ranks; rest != 0; rest &= rest - 1) {
      int other = (word << 6) + Long.numberOfTrailingZeros(rest);
      taken.add(offsets[other], offsets[other] + bytes[other]);
    }
  }

  /**
   * {@return the offset of a record of no bytes, which also fits between two records that touch}
   *
   * <p>Of records with the same offset, the one of the earlier rank comes first.
   */
  private long computedOfEmpty(int rank) {
    int[] earlier = earlier(rank);
    long free = 0;
    long best = 0;
    long bestBytes = Long.MAX_VALUE;
    for (int k : IndexOrder.ascending(earlier.length, k -> offsets[earlier[k]])) {
      long start = offsets[earlier[k]];
      if (start >= free && start - free < bestBytes) {
        best = free;
        bestBytes = start - free;
      }
      free = Math.max(free, Alignment.up(start + bytes[earlier[k]], alignments[rank]));
    }
    return best;
  }

  private int[] earlier(int rank) {
    return IntStream.range(0, rank)
        .filter(other -> (overlaps.word(rank, other >>> 6) >>> other & 1) != 0)
        .toArray();
  }

  /** Starts to log changes, so that {@link #rollback} can take them back. O(n / 64). */
  void checkpoint() {
    for (long word : stale) {
      checkpoints.push(word);
    }
    checkpoints.push(totalBytes);
    checkpoints.push(isTotalOpen ? 1 : 0);
    checkpoints.push(changes.size());
  }

  /** Restores the offsets at the last checkpoint and removes it. */
  void rollback() {
    long size = checkpoints.pop();
    while (changes.size() > size) {
      int rank = (int) changes.pop();
      offsets[rank] = changes.pop();
    }
    isTotalOpen = checkpoints.pop() != 0;
    totalBytes = checkpoints.pop();
    for (int word = stale.length - 1; word >= 0; word--) {
      stale[word] = checkpoints.pop();
    }
  }

  /** Removes the last checkpoint. */
  void commit() {
    checkpoints.shrinkTo(checkpoints.size() - stale.length - 3);
    if (checkpoints.isEmpty()) {
      changes.shrinkTo(0);
    }
  }

  void checkInvariants() {
    for (int rank = 0; rank < offsets.length; rank++) {
      boolean isStale = (stale[rank >>> 6] >>> rank & 1) != 0;
      if (!isStale && offsets[rank] != computed(rank)) {
        throw new AssertionError(Message.of("C4 rank %d: offset=%d", rank, offsets[rank]));
      }
    }
    if (!isTotalOpen && totalBytes != largestEnd()) {
      throw new AssertionError("C5 totalBytes=" + totalBytes);
    }
  }
}
