package dev.stowage.plan.shapes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Ranges that contain the offset and the end of each record of a layout, for all shapes of a box.
 */
final class LayoutIntervals {

  /** The number of boxes of the search for the largest value of a size. */
  private static final int MAX_BOXES = 1_000;

  private final List<SymbolicRecord> records;
  private final ShapeBox box;
  private final Interval[] starts;
  private final Interval[] ends;
  private final Map<SizeExpression, Long> largestSizes = new HashMap<>();

  LayoutIntervals(ShapeLayout layout, ShapeBox box) {
    this.box = box;
    records = layout.problem().records();
    starts = new Interval[records.size()];
    ends = new Interval[records.size()];
    Map<SizeExpression, Interval> bounds = new HashMap<>();
    for (int i : layout.order()) {
      LayoutOffset offset = layout.offsets().get(i);
      Interval start =
          bounds.computeIfAbsent(offset.base(), base -> TightBounds.of(base.polynomial(), box));
      for (int reference : offset.below()) {
        start = start.max(ends[reference]);
      }
      starts[i] = start.roundedUpTo(offset.multiple());
      Interval size =
          bounds.computeIfAbsent(
              records.get(i).bytes(), bytes -> TightBounds.of(bytes.polynomial(), box));
      // A size is not negative although its bounds may be.
      ends[i] = starts[i].plus(size.max(Interval.of(0)));
    }
  }

  /** {@return a number that no offset of a record is below} */
  long lowestStart(int record) {
    return starts[record].first();
  }

  /** {@return true if the ranges show that a record ends below another one} */
  boolean isBelow(int lower, int upper) {
    return endsWithin(lower, starts[upper].first());
  }

  /** {@return true if the ranges show that a record ends at a number of bytes or below} */
  private boolean endsWithin(int record, long bytes) {
    return ends[record].last() <= bytes
        || (starts[record].width() == 0 && starts[record].last() + largestSize(record) <= bytes);
  }

  /** {@return the largest size of a record, or a bound of it if it is hard to find} */
  private long largestSize(int record) {
    return largestSizes.computeIfAbsent(
        records.get(record).bytes(),
        bytes -> TightBounds.largest(bytes.polynomial(), box, MAX_BOXES));
  }

  /** {@return the record with the highest possible end, if it may end beyond an arena} */
  OptionalInt beyond(long arenaBytes) {
    int highest = -1;
    for (int i = 0; i < ends.length; i++) {
      if (!endsWithin(i, arenaBytes) && (highest < 0 || ends[i].last() > ends[highest].last())) {
        highest = i;
      }
    }
    return highest < 0 ? OptionalInt.empty() : OptionalInt.of(highest);
  }
}
