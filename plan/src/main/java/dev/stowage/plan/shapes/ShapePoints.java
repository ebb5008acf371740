package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Shapes that are spread over ranges. */
final class ShapePoints {

  /** The most shapes if one dimension has more than one value. */
  static final int MAX_ON_ONE_AXIS = 33;

  /** The most shapes if several dimensions have more than one value, and in comparisons. */
  static final int MAX_SHAPES = 9;

  private ShapePoints() {}

  /**
   * {@return shapes of some ranges, each once, ordered by the first dimension, then by the others}
   *
   * <p>With one open dimension, these are all values, or 33 values: half of them are evenly spaced,
   * half grow by a factor. With more, they are all shapes if there are at most nine. Otherwise,
   * they are the corners of two dimensions and the middles between them, or the smallest, the
   * largest and the middle shape of several, and some of their other corners.
   */
  static List<DimensionValues> of(DimensionRanges ranges) {
    List<DimensionRange> open =
        ranges.ranges().stream().filter(range -> range.first() < range.last()).toList();
    List<DimensionValues> shapes =
        open.size() == 1 || ranges.shapeCount() <= MAX_SHAPES
            ? product(ranges, open)
            : grid(ranges, open.size());
    return shapes.stream().sorted(ShapePoints::compare).toList();
  }

  /** {@return the shapes with the values of each open dimension} */
  private static List<DimensionValues> product(DimensionRanges ranges, List<DimensionRange> open) {
    List<DimensionValues> shapes = List.of(ranges.first());
    for (DimensionRange range : open) {
      shapes =
          shapes.stream()
              .flatMap(
                  shape -> values(range).stream().map(value -> shape.with(range.name(), value)))
              .toList();
    }
    return shapes;
  }

  /** {@return nine shapes of more than nine} */
  private static List<DimensionValues> grid(DimensionRanges ranges, int openCount) {
    Set<DimensionValues> shapes = new LinkedHashSet<>();
    shapes.add(ranges.first());
    shapes.add(at(ranges, _ -> 1));
    shapes.add(ranges.last());
    int levels = openCount == 2 ? 3 : 2;
    int combinations = (int) Math.min(1 << 10, Math.pow(levels, openCount));
    for (int i = 0; i < combinations && shapes.size() < MAX_SHAPES; i++) {
      int combination = i;
      shapes.add(
          at(
              ranges,
              axis -> combination / (int) Math.pow(levels, axis) % levels * (levels == 2 ? 2 : 1)));
    }
    return List.copyOf(shapes);
  }

  private static int compare(DimensionValues a, DimensionValues b) {
    for (String name : a.names()) {
      if (a.get(name) != b.get(name)) {
        return Long.compare(a.get(name), b.get(name));
      }
    }
    return 0;
  }

  /** {@return up to nine of some shapes, evenly spread over their order} */
  static List<DimensionValues> few(List<DimensionValues> shapes) {
    Set<DimensionValues> few = new LinkedHashSet<>();
    int last = shapes.size() - 1;
    for (int i = 0; i < MAX_SHAPES; i++) {
      few.add(shapes.get(i * last / (MAX_SHAPES - 1)));
    }
    return List.copyOf(few);
  }

  /** The position of an axis: 0 for the first value, 1 for the middle, 2 for the last. */
  private interface Position {
    int of(int axis);
  }

  private static DimensionValues at(DimensionRanges ranges, Position position) {
    Map<String, Long> values = new LinkedHashMap<>();
    int axis = 0;
    for (DimensionRange range : ranges.ranges()) {
      long middle = range.first() + (range.last() - range.first()) / 2;
      boolean isOpen = range.first() < range.last();
      values.put(
          range.name(),
          switch (isOpen ? position.of(axis) : 0) {
            case 0 -> range.first();
            case 1 -> middle;
            default -> range.last();
          });
      axis += isOpen ? 1 : 0;
    }
    return DimensionValues.of(values);
  }

  /** {@return up to 33 values of a range, ascending, with the first and the last one} */
  static List<Long> values(DimensionRange range) {
    TreeSet<Long> values = new TreeSet<>();
    long width = range.last() - range.first();
    int half = MAX_ON_ONE_AXIS / 2;
    if (width < MAX_ON_ONE_AXIS) {
      for (long value = range.first(); value <= range.last(); value++) {
        values.add(value);
      }
    } else {
      double ratio = (double) range.last() / range.first();
      for (int i = 0; i <= half; i++) {
        values.add(range.first() + (long) ((double) width * i / half));
        double grown = range.first() * Math.pow(ratio, (double) i / (half + 1));
        values.add(Math.clamp((long) grown, range.first(), range.last()));
      }
      values.add(range.last());
      for (int i = half - 1; i >= 0 && values.size() < MAX_ON_ONE_AXIS; i--) {
        values.add(range.first() + (long) ((double) width * (2 * i + 1) / (2 * half)));
      }
    }
    return new ArrayList<>(values);
  }
}
