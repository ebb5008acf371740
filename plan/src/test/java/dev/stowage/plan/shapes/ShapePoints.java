package dev.stowage.plan.shapes;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** All shapes of small ranges. */
public final class ShapePoints {

  private ShapePoints() {}

  public static List<DimensionValues> of(DimensionRanges ranges) {
    List<DimensionValues> points = List.of(DimensionValues.of(Map.of()));
    for (DimensionRange range : ranges.ranges()) {
      points =
          points.stream()
              .flatMap(values ->
                  LongStream.rangeClosed(range.first(), range.last())
                      .mapToObj(value -> values.with(range.name(), value)))
              .toList();
    }
    return points;
  }
}
