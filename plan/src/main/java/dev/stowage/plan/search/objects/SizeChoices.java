package dev.stowage.plan.search.objects;

import java.util.Arrays;

/**
 * For each record, the sizes that its object may have.
 *
 * <p>The choices of a record are numbered from 0 by ascending size. Changes can be undone.
 */
final class SizeChoices {

  private static final int MIN_TRAIL = 64;

  /** For each record, the size of each of its choices, ascending. */
  private final int[][] sizes;

  /** For each record, the choices that are open, ascending. An array never changes. */
  private final int[][] open;

  /** The records that changed, and what was open before. */
  private int[] changed = new int[MIN_TRAIL];

  private int[][] openBefore = new int[MIN_TRAIL][];
  private int changeCount;

  private SizeChoices(int[][] sizes) {
    this.sizes = sizes;
    open = new int[sizes.length][];
    Arrays.setAll(open, record -> ascending(0, sizes[record].length));
  }

  /** {@return all choices: each size that is large enough} */
  static SizeChoices all(SizedRecords records) {
    int[][] sizes = new int[records.count()][];
    Arrays.setAll(sizes, r -> ascending(records.sizeIndex[r], records.sizes.length));
    return new SizeChoices(sizes);
  }

  /** {@return the open choices, numbered anew} */
  SizeChoices compact() {
    int[][] kept = new int[sizes.length][];
    Arrays.setAll(kept, r -> Arrays.stream(open[r]).map(choice -> sizes[r][choice]).toArray());
    return new SizeChoices(kept);
  }

  private static int[] ascending(int from, int to) {
    int[] values = new int[to - from];
    Arrays.setAll(values, i -> from + i);
    return values;
  }

  int recordCount() {
    return sizes.length;
  }

  /** {@return the number of choices of a record, open or not} */
  int choiceCount(int record) {
    return sizes[record].length;
  }

  /** {@return the index of the size that a choice stands for} */
  int size(int record, int choice) {
    return sizes[record][choice];
  }

  /** {@return the open choices of a record, ascending; not to be changed} */
  int[] open(int record) {
    return open[record];
  }

  /** {@return the number of open choices} */
  long openCount() {
    return Arrays.stream(open).mapToLong(choices -> choices.length).sum();
  }

  /** {@return for each size, true if it is an open choice of some record} */
  boolean[] openSizes(int sizeCount) {
    boolean[] isOpen = new boolean[sizeCount];
    for (int r = 0; r < open.length; r++) {
      for (int choice : open[r]) {
        isOpen[sizes[r][choice]] = true;
      }
    }
    return isOpen;
  }

  /** Replaces the open choices of a record by some of them. */
  void keep(int record, int[] choices) {
    if (changeCount == changed.length) {
      changed = Arrays.copyOf(changed, 2 * changeCount);
      openBefore = Arrays.copyOf(openBefore, 2 * changeCount);
    }
    changed[changeCount] = record;
    openBefore[changeCount++] = open[record];
    open[record] = choices;
  }

  /** Closes a choice of a record. */
  void close(int record, int choice) {
    keep(record, Arrays.stream(open[record]).filter(c -> c != choice).toArray());
  }

  /** {@return the state, for {@link #undoTo}} */
  int mark() {
    return changeCount;
  }

  /** {@return the records that changed after a mark; a record may be named more than once} */
  int[] changedAfter(int mark) {
    return Arrays.copyOfRange(changed, mark, changeCount);
  }

  /** Undoes all changes after a mark. */
  void undoTo(int mark) {
    while (changeCount > mark) {
      open[changed[--changeCount]] = openBefore[changeCount];
    }
  }

  /** Makes all changes permanent. */
  void commit() {
    Arrays.fill(openBefore, 0, changeCount, null);
    changeCount = 0;
  }
}
