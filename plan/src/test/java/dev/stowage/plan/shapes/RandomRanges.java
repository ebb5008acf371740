package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Small ranges, and all of their shapes. */
final class RandomRanges {

  private RandomRanges() {}

  /** {@return a range with up to some values for each name} */
  static DimensionRanges of(List<String> names, int mostValues, Random random) {
    return new DimensionRanges(
        names.stream()
            .map(name -> {
              long first = 1L + random.nextInt(5);
              return new DimensionRange(name, first, first + random.nextInt(mostValues));
            })
            .toList());
  }

  /** {@return all shapes} */
  static List<DimensionValues> all(DimensionRanges ranges) {
    List<DimensionValues> shapes = List.of(DimensionValues.of(Map.of()));
    for (DimensionRange range : ranges.ranges()) {
      List<DimensionValues> more = new ArrayList<>();
      for (DimensionValues shape : shapes) {
        for (long value = range.first(); value <= range.last(); value++) {
          more.add(shape.with(range.name(), value));
        }
      }
      shapes = more;
    }
    return shapes;
  }
}
