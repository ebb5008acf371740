package dev.stowage.core.plan.check;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Looks for records of an offsets assignment that need one byte at one task. */
final class OverlapSweep {

  /*
   * Walks over the tasks and keeps the live ranges of bytes by address: a range that starts is held
   * against those. Two pinned records may overlap if their problem says so, so that the search for
   * the first overlap of a plan keeps pinned and movable ranges apart.
   */

  /**
   * Two records that need one byte at one task.
   *
   * @param first the one that was there
   * @param second the one that came
   * @param task when it came
   */
  record Overlap(int first, int second, long task) {}

  private OverlapSweep() {}

  /** {@return the first overlap of two records of which one may be moved} */
  static Optional<Overlap> ofPlan(List<TensorUsageRecord> records, OffsetsAssignment assignment) {
    List<PlacedRange> ranges = PlacedRange.of(records, assignment);
    Predicate<PlacedRange> isPinned =
        range -> records.get(range.record()).pinnedOffset().isPresent();
    LivePlaces pinned = new LivePlaces(only(ranges, isPinned), ranges.size());
    LivePlaces movable = new LivePlaces(only(ranges, isPinned.negate()), ranges.size());
    FirstOverlap first = new FirstOverlap();
    walk(
        ranges,
        range -> {
          if (isPinned.test(range)) {
            first.lookAmong(movable, range);
            pinned.add(range);
          } else {
            first.lookAmong(movable, range);
            first.lookAmong(pinned, range);
            movable.add(range);
          }
          return first.found.isEmpty();
        },
        range -> (isPinned.test(range) ? pinned : movable).remove(range));
    return first.found;
  }

  /** {@return the first overlap of two records, pinned or not} */
  static Optional<Overlap> ofAll(List<TensorUsageRecord> records, OffsetsAssignment assignment) {
    List<PlacedRange> ranges = PlacedRange.of(records, assignment);
    LivePlaces live = new LivePlaces(ranges, ranges.size());
    FirstOverlap first = new FirstOverlap();
    walk(
        ranges,
        range -> {
          first.lookAmong(live, range);
          live.add(range);
          return first.found.isEmpty();
        },
        live::remove);
    return first.found;
  }

  private static List<PlacedRange> only(
      List<PlacedRange> ranges, Predicate<PlacedRange> condition) {
    return ranges.stream().filter(condition).toList();
  }

  private static final class FirstOverlap {

    private Optional<Overlap> found = Optional.empty();

    void lookAmong(LivePlaces live, PlacedRange range) {
      if (found.isEmpty()) {
        live.forEachOverlapping(
            range,
            other -> {
              found = Optional.of(new Overlap(other.record(), range.record(), range.firstTask()));
              return false;
            });
      }
    }
  }

  /**
   * Walks over ranges in the order of their first tasks, those of one task in the order given, and
   * over those that have ended by then.
   *
   * @param starting is given each range; ends the walk by false
   * @param ended is given each range behind its last task, before the next one starts
   */
  static void walk(
      List<PlacedRange> ranges, Predicate<PlacedRange> starting, Consumer<PlacedRange> ended) {
    List<PlacedRange> byFirstTask = new ArrayList<>(ranges);
    byFirstTask.sort(Comparator.comparingLong(PlacedRange::firstTask));
    List<PlacedRange> byLastTask = new ArrayList<>(ranges);
    byLastTask.sort(Comparator.comparingLong(PlacedRange::lastTask));
    int endedCount = 0;
    for (PlacedRange range : byFirstTask) {
      for (; byLastTask.get(endedCount).lastTask() < range.firstTask(); endedCount++) {
        ended.accept(byLastTask.get(endedCount));
      }
      if (!starting.test(range)) {
        return;
      }
    }
  }
}
