package dev.stowage.plan.shapes;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A range for each of some dimensions. Each choice of one value from each range is a shape.
 *
 * @param ranges the ranges, in the order of messages and files
 */
public record DimensionRanges(List<DimensionRange> ranges) {

  /**
   * Creates ranges.
   *
   * @throws IllegalArgumentException if two ranges have the same name
   */
  public DimensionRanges {
    ranges = List.copyOf(ranges);
    Set<String> names = new HashSet<>();
    for (DimensionRange range : ranges) {
      if (!names.add(range.name())) {
        throw new IllegalArgumentException("dimension '" + range.name() + "' has two ranges");
      }
    }
  }

  /**
   * {@return ranges of some dimensions}
   *
   * @param ranges the ranges
   * @throws IllegalArgumentException if two ranges have the same name
   */
  public static DimensionRanges of(DimensionRange... ranges) {
    return new DimensionRanges(List.of(ranges));
  }

  /**
   * {@return the range of a dimension; empty if it has none}
   *
   * @param name the name of the dimension
   */
  public Optional<DimensionRange> range(String name) {
    return ranges.stream().filter(range -> range.name().equals(name)).findFirst();
  }

  /** {@return the smallest value of each dimension} */
  public DimensionValues first() {
    Map<String, Long> values = new LinkedHashMap<>();
    ranges.forEach(range -> values.put(range.name(), range.first()));
    return DimensionValues.of(values);
  }

  /** {@return the largest value of each dimension} */
  public DimensionValues last() {
    Map<String, Long> values = new LinkedHashMap<>();
    ranges.forEach(range -> values.put(range.name(), range.last()));
    return DimensionValues.of(values);
  }

  /**
   * {@return true if each dimension has a value within its range}
   *
   * @param values the values, which may include other dimensions
   */
  public boolean contains(DimensionValues values) {
    return ranges.stream()
        .allMatch(range ->
            values.names().contains(range.name())
                && values.get(range.name()) >= range.first()
                && values.get(range.name()) <= range.last());
  }

  /** {@return the number of shapes; {@link Long#MAX_VALUE} if there are more} */
  public long shapeCount() {
    long count = 1;
    for (DimensionRange range : ranges) {
      long values = range.last() - range.first() + 1;
      if (count > Long.MAX_VALUE / values) {
        return Long.MAX_VALUE;
      }
      count *= values;
    }
    return count;
  }

  /**
   * {@return a shape that lies in none of some parts; empty if they contain all shapes}
   *
   * @param parts ranges of the same dimensions
   */
  public Optional<DimensionValues> firstOutside(List<DimensionRanges> parts) {
    for (DimensionRanges part : parts) {
      if (part.contains(first())) {
        // Cuts off the shapes above the part in one dimension after the other.
        DimensionRanges rest = this;
        for (DimensionRange range : ranges) {
          long last = part.range(range.name()).orElseThrow().last();
          if (last < range.last()) {
            Optional<DimensionValues> outside =
                rest.with(new DimensionRange(range.name(), last + 1, range.last()))
                    .firstOutside(parts);
            if (outside.isPresent()) {
              return outside;
            }
            rest = rest.with(new DimensionRange(range.name(), range.first(), last));
          }
        }
        return Optional.empty();
      }
    }
    return Optional.of(first());
  }

  /**
   * {@return two halves of the shapes, divided at the dimension whose last value is the largest
   * multiple of its first; these ranges if they contain one shape}
   */
  public List<DimensionRanges> halves() {
    DimensionRange widest =
        ranges.stream()
            .filter(range -> range.first() < range.last())
            .max(Comparator.comparingDouble(range -> (double) range.last() / range.first()))
            .orElse(null);
    if (widest == null) {
      return List.of(this);
    }
    long middle = widest.first() + (widest.last() - widest.first()) / 2;
    return List.of(
        with(new DimensionRange(widest.name(), widest.first(), middle)),
        with(new DimensionRange(widest.name(), middle + 1, widest.last())));
  }

  /**
   * {@return these ranges with another one for a dimension that has one}
   *
   * @param newRange the range
   */
  public DimensionRanges with(DimensionRange newRange) {
    return new DimensionRanges(
        ranges.stream()
            .map(range -> range.name().equals(newRange.name()) ? newRange : range)
            .toList());
  }

  /**
   * Checks that some dimensions have ranges.
   *
   * @param names the names of the dimensions
   * @throws IllegalArgumentException if one has no range
   */
  public void checkRanges(Collection<String> names) {
    for (String name : names) {
      if (range(name).isEmpty()) {
        throw new IllegalArgumentException("dimension '" + name + "' has no range");
      }
    }
  }

  /**
   * {@return the value of each dimension, in the order of the ranges}
   *
   * @param values the values, which may include other dimensions
   * @throws IllegalArgumentException if a dimension has no value or a value out of its range
   */
  long[] checkedValues(DimensionValues values) {
    long[] checked = new long[ranges.size()];
    for (int i = 0; i < checked.length; i++) {
      DimensionRange range = ranges.get(i);
      checked[i] = values.get(range.name());
      if (checked[i] < range.first() || checked[i] > range.last()) {
        throw new IllegalArgumentException(
            "the shape is not within the ranges: shape " + values + ", ranges " + this);
      }
    }
    return checked;
  }

  /** {@return the ranges as {@code batch=1..32, seq=1..512}} */
  @Override
  public String toString() {
    return ranges.stream().map(DimensionRange::toString).collect(Collectors.joining(", "));
  }
}
