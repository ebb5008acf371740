package dev.stowage.plan.search.objects;

import dev.stowage.plan.base.IndexOrder;
import java.util.Arrays;

/** Records with their sizes as indices and their lifetimes as ranges of maximal cliques. */
final class SizedRecords {

  /*
   * A maximal clique is the set of the records of one task. No other task has all of them and more. A record is a member of consecutive cliques. Two records conflict if and only
   * if they are members of one clique. There are at most as many cliques as records.
   */

  /** The distinct sizes in bytes, ascending. */
  final long[] sizes;

  /** The greatest common divisor of all sizes: the bytes of every plan are a multiple of it. */
  final long unitBytes;

  /** For each record, the index of its size. */
  final int[] sizeIndex;

  /** For each record, its first clique; ascending. */
  final int[] first;

  /** For each record, its last clique. */
  final int[] last;

  /** The records by ascending last clique. */
  final int[] byLast;

  final int cliqueCount;

  SizedRecords(ObjectRecords records) {
    sizes = Arrays.stream(records.bytes()).sorted().distinct().toArray();
    unitBytes = Arrays.stream(sizes).reduce(0, SizedRecords::greatestCommonDivisor);
    sizeIndex =
        Arrays.stream(records.bytes()).mapToInt(b -> Arrays.binarySearch(sizes, b)).toArray();
    int[] starts = records.firstRanks(); // ascending
    int[] cliqueRanks =
        Arrays.stream(records.lastRanks())
            .map(rank -> starts[indexAfter(starts, rank) - 1])
            .sorted()
            .distinct()
            .toArray();
    first = Arrays.stream(starts).map(rank -> indexAfter(cliqueRanks, rank - 1)).toArray();
    last = Arrays.stream(records.lastRanks()).map(r -> indexAfter(cliqueRanks, r) - 1).toArray();
    byLast = IndexOrder.ascending(last.length, i -> last[i]);
    cliqueCount = cliqueRanks.length;
  }

  private static long greatestCommonDivisor(long a, long b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }

  /** {@return the index of the first element above a value} */
  private static int indexAfter(int[] ascending, int value) {
    int low = 0;
    int high = ascending.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending[middle] <= value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  int count() {
    return sizeIndex.length;
  }

  /** {@return a size as a multiple of {@link #unitBytes}} */
  long units(int size) {
    return sizes[size] / unitBytes;
  }

  /** {@return the number of pairs of a record and a size that is large enough for it} */
  long choiceCount() {
    return Arrays.stream(sizeIndex).mapToLong(index -> sizes.length - index).sum();
  }

  /** {@return the number of pairs of a record and a clique that has it} */
  long membershipCount() {
    long count = 0;
    for (int r = 0; r < count(); r++) {
      count += last[r] - first[r] + 1;
    }
    return count;
  }
}
