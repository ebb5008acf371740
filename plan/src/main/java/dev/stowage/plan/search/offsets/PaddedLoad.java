package dev.stowage.plan.search.offsets;

import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.StepCounter;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The load of a partition with padding, a lower bound of every arena of its movable records.
 *
 * <p>If the alignments of some records of a section are multiples of a unit, the distances of their
 * offsets are multiples of it. So the sizes of all but the highest of them are rounded up.
 */
final class PaddedLoad {

  /** The largest number of units; few problems have more than three alignments. */
  private static final int MAX_UNITS = 16;

  private PaddedLoad() {}

  /**
   * {@return the bound; 0 if a record has a window}
   *
   * @param steps counts the members visited
   * @throws java.util.concurrent.CancellationException if {@code steps} is stopped
   */
  static long of(Partition partition, StepCounter steps) {
    if (partition.hasWindows) {
      return 0;
    }
    long load = 0;
    for (long unit : units(partition)) {
      for (int[] members : partition.members) {
        steps.check(2L * members.length);
        load = Math.max(load, of(partition, members, unit));
      }
    }
    return load;
  }

  private static long of(Partition partition, int[] members, long unit) {
    long sum = 0;
    long mostPadding = 0;
    for (int member : members) {
      if (partition.alignment[member] % unit == 0) {
        long padded = Alignment.up(partition.bytes[member], unit);
        sum += padded;
        mostPadding = Math.max(mostPadding, padded - partition.bytes[member]);
      }
    }
    return sum - mostPadding;
  }

  /** {@return the granularity and the smallest alignments} */
  private static long[] units(Partition partition) {
    LongStream alignments = Arrays.stream(partition.alignment).sorted().distinct();
    return LongStream.concat(LongStream.of(partition.granularityBytes), alignments)
        .distinct()
        .limit(MAX_UNITS)
        .toArray();
  }
}
