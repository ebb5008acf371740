package dev.stowage.plan.shapes.search;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The shapes that plans are compared for: all if they are few, else a sample. */
final class ShapeSample {

  /** The number of shapes in a sample, and up to which all shapes are compared. */
  static final int MAX_SHAPES = 1_000;

  /** The number of open dimensions up to which a sample has all corners. */
  private static final int MAX_CORNER_DIMENSIONS = 7;

  /** The bases of Halton's sequences. */
  private static final int[] PRIMES = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

  private ShapeSample() {}

  /**
   * {@return the shapes, the largest one first}
   *
   * <p>A sample has the corners, and points of Halton's sequence, which are spread evenly. With
   * more than 7 open dimensions, it has only the smallest and the largest corner.
   */
  static List<DimensionValues> of(DimensionRanges ranges) {
    Set<DimensionValues> shapes = new LinkedHashSet<>();
    shapes.add(ranges.last());
    shapes.add(ranges.first());
    if (ranges.shapeCount() <= MAX_SHAPES) {
      shapes.addAll(product(ranges, List.of()));
      return List.copyOf(shapes);
    }
    long open = ranges.ranges().stream().filter(range -> range.first() < range.last()).count();
    if (open <= MAX_CORNER_DIMENSIONS) {
      shapes.addAll(product(ranges, List.of(0.0, 1.0)));
    }
    for (int i = 1; shapes.size() < MAX_SHAPES; i++) {
      Map<String, Long> values = new LinkedHashMap<>();
      for (int d = 0; d < ranges.ranges().size(); d++) {
        DimensionRange range = ranges.ranges().get(d);
        values.put(
            range.name(), at(range, halton(i + d / PRIMES.length, PRIMES[d % PRIMES.length])));
      }
      shapes.add(DimensionValues.of(values));
    }
    return List.copyOf(shapes);
  }

  /** {@return all shapes with values at the given parts of each range; with none, at all values} */
  private static List<DimensionValues> product(DimensionRanges ranges, List<Double> parts) {
    List<Map<String, Long>> shapes = List.of(Map.of());
    for (DimensionRange range : ranges.ranges()) {
      List<Map<String, Long>> longer = new ArrayList<>();
      for (Map<String, Long> shape : shapes) {
        for (long value : values(range, parts)) {
          Map<String, Long> values = new LinkedHashMap<>(shape);
          values.put(range.name(), value);
          longer.add(values);
        }
      }
      shapes = longer;
    }
    return shapes.stream().map(DimensionValues::of).toList();
  }

  private static Set<Long> values(DimensionRange range, List<Double> parts) {
    Set<Long> values = new LinkedHashSet<>();
    if (parts.isEmpty()) {
      for (long value = range.first(); value <= range.last(); value++) {
        values.add(value);
      }
    } else {
      parts.forEach(part -> values.add(at(range, part)));
    }
    return values;
  }

  /** {@return the value at a part, from 0 to 1, of a range} */
  private static long at(DimensionRange range, double part) {
    if (part == 1) {
      return range.last();
    }
    double count = (double) range.last() - range.first() + 1;
    return Math.min(range.last(), range.first() + (long) (part * count));
  }

  /** {@return an element of Halton's sequence: the digits of the index in a base, mirrored} */
  private static double halton(int index, int base) {
    double value = 0;
    double part = 1;
    for (int rest = index; rest > 0; rest /= base) {
      part /= base;
      value += part * (rest % base);
    }
    return value;
  }
}
