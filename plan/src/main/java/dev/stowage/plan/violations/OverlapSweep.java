package dev.stowage.plan.violations;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Finds records of an offsets assignment that need the same byte at the same task. */
public final class OverlapSweep {

  /*
   * A sweep over the tasks, with the live ranges in a tree by address. Each range that starts is
   * compared with the live ones.
   */

  /**
   * Two records that need the same byte at the same task.
   *
   * @param first the record that is live before
   * @param second the record that starts
   * @param task the first task of the second one
   */
  public record Overlap(int first, int second, long task) {}

  /** A set of pairs of records. */
  @FunctionalInterface
  public interface RecordPairs {

    /** {@return true if two records, in any order, are a pair} */
    boolean contains(int one, int other);
  }

  private OverlapSweep() {}

  /**
   * {@return the first overlap of two records}
   *
   * @param permitted the overlaps to ignore
   */
  public static Optional<Overlap> first(
      List<TensorUsageRecord> records, OffsetsAssignment assignment, RecordPairs permitted) {
    List<Overlap> found = new ArrayList<>(1);
    sweep(
        PlacedRange.of(records, assignment),
        (live, range) -> {
          if (!permitted.contains(live.record(), range.record())) {
            found.add(new Overlap(live.record(), range.record(), range.firstTask()));
          }
          return found.isEmpty();
        });
    return found.stream().findFirst();
  }

  /**
   * Passes on two ranges that overlap, by the first task of the second range, then in the given
   * order of second ranges, then by descending start of the first range.
   *
   * @param visitor receives the earlier range and the range that starts; returns false to end the
   *     sweep
   */
  static void sweep(List<PlacedRange> ranges, BiPredicate<PlacedRange, PlacedRange> visitor) {
    LiveRangeTree live = new LiveRangeTree(ranges);
    int[] byFirstTask = IndexOrder.ascending(ranges.size(), k -> ranges.get(k).firstTask());
    int[] byLastTask = IndexOrder.ascending(ranges.size(), k -> ranges.get(k).lastTask());
    int endedCount = 0;
    for (int next : byFirstTask) {
      PlacedRange range = ranges.get(next);
      for (; ranges.get(byLastTask[endedCount]).lastTask() < range.firstTask(); endedCount++) {
        live.remove(ranges.get(byLastTask[endedCount]));
      }
      if (!live.forEachOverlapping(range, other -> visitor.test(other, range))) {
        return;
      }
      live.add(range);
    }
  }
}
