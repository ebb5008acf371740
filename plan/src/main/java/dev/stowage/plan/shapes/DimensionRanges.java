package dev.stowage.plan.shapes;

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

  /** {@return the ranges as {@code batch=1..32, seq=1..512}} */
  @Override
  public String toString() {
    return ranges.stream().map(DimensionRange::toString).collect(Collectors.joining(", "));
  }
}
