package dev.stowage.plan.violations;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Finds records of an offsets assignment that need the same byte at the same task. */
public final class OverlapSweep {

  /*
   * A sweep over the tasks, with the live ranges in a tree by address. Each range that starts is
   * compared with the live ones. Two pinned records may overlap, so the sweep over a plan has
   * separate trees for pinned and movable ranges. A record may overlap the record that it is in place
   * of.
   */

  /**
   * Two records that need the same byte at the same task.
   *
   * @param first the record that is live before
   * @param second the record that starts
   * @param task the first task of the second one
   */
  public record Overlap(int first, int second, long task) {}

  private OverlapSweep() {}

  /**
   * {@return the first overlap of two records that are not both pinned}
   *
   * @param permitted the overlaps to ignore
   */
  public static Optional<Overlap> ofPlan(
      List<TensorUsageRecord> records, OffsetsAssignment assignment, PermittedOverlaps permitted) {
    List<PlacedRange> ranges = PlacedRange.of(records, assignment);
    Predicate<PlacedRange> isPinned =
        range -> records.get(range.record()).pinnedOffset().isPresent();
    LiveRangeTree pinned = new LiveRangeTree(filter(ranges, isPinned), ranges.size());
    LiveRangeTree movable = new LiveRangeTree(filter(ranges, isPinned.negate()), ranges.size());
    FirstOverlap first = new FirstOverlap(permitted::contains);
    sweep(
        ranges,
        range -> {
          if (isPinned.test(range)) {
            first.findIn(movable, range);
            pinned.add(range);
          } else {
            first.findIn(movable, range);
            first.findIn(pinned, range);
            movable.add(range);
          }
          return first.found.isEmpty();
        },
        range -> (isPinned.test(range) ? pinned : movable).remove(range));
    return first.found;
  }

  /**
   * {@return the first overlap of two records, pinned or not}
   *
   * @param isPermitted true for two records that may overlap
   */
  public static Optional<Overlap> ofAll(
      List<TensorUsageRecord> records, OffsetsAssignment assignment, RecordPairs isPermitted) {
    List<PlacedRange> ranges = PlacedRange.of(records, assignment);
    LiveRangeTree live = new LiveRangeTree(ranges, ranges.size());
    FirstOverlap first = new FirstOverlap(isPermitted);
    sweep(
        ranges,
        range -> {
          first.findIn(live, range);
          live.add(range);
          return first.found.isEmpty();
        },
        live::remove);
    return first.found;
  }

  private static List<PlacedRange> filter(
      List<PlacedRange> ranges, Predicate<PlacedRange> condition) {
    return ranges.stream().filter(condition).toList();
  }

  /** A set of pairs of records. */
  @FunctionalInterface
  public interface RecordPairs {

    /** {@return true if two records, in any order, are a pair} */
    boolean contains(int one, int other);
  }

  private static final class FirstOverlap {

    private final RecordPairs permitted;
    private Optional<Overlap> found = Optional.empty();

    FirstOverlap(RecordPairs permitted) {
      this.permitted = permitted;
    }

    void findIn(LiveRangeTree live, PlacedRange range) {
      if (found.isEmpty()) {
        live.forEachOverlapping(
            range,
            other -> {
              if (permitted.contains(other.record(), range.record())) {
                return true;
              }
              found = Optional.of(new Overlap(other.record(), range.record(), range.firstTask()));
              return false;
            });
      }
    }
  }

  /**
   * Passes on ranges that start and ranges that end, in the order of tasks.
   *
   * @param starting receives each range, by first task and then in the given order; returns false
   *     to end the sweep
   * @param ended receives each range that has ended, before the next range starts
   */
  static void sweep(
      List<PlacedRange> ranges, Predicate<PlacedRange> starting, Consumer<PlacedRange> ended) {
    int[] byFirstTask = IndexOrder.ascending(ranges.size(), k -> ranges.get(k).firstTask());
    int[] byLastTask = IndexOrder.ascending(ranges.size(), k -> ranges.get(k).lastTask());
    int endedCount = 0;
    for (int next : byFirstTask) {
      PlacedRange range = ranges.get(next);
      for (; ranges.get(byLastTask[endedCount]).lastTask() < range.firstTask(); endedCount++) {
        ended.accept(ranges.get(byLastTask[endedCount]));
      }
      if (!starting.test(range)) {
        return;
      }
    }
  }
}
