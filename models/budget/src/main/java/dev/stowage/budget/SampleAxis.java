package dev.stowage.budget;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The sizes of a dimension at which bytes were computed.
 *
 * @param dimension the name of the dimension
 * @param points the sizes, ascending
 */
public record SampleAxis(String dimension, List<Long> points) {

  /**
   * Creates an axis.
   *
   * @throws IllegalArgumentException if the name is blank, there is no point, a point is not
   *     positive, or the points do not ascend
   */
  public SampleAxis {
    points = List.copyOf(points);
    if (dimension.isBlank()) {
      throw new IllegalArgumentException("the name of a dimension must not be blank");
    }
    if (points.isEmpty()) {
      throw new IllegalArgumentException(
          "dimension '" + dimension + "' has no points, expected at least one");
    }
    for (int i = 0; i < points.size(); i++) {
      if (points.get(i) < 1 || (i > 0 && points.get(i) <= points.get(i - 1))) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the points of dimension '%s' must be positive and ascend: points=%s",
                dimension,
                points));
      }
    }
  }

  /** {@return the index of the last point that is not larger than a value} */
  int cell(long value) {
    if (value < points.getFirst() || value > points.getLast()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "dimension '%s' must be from %d to %d: %s=%d",
              dimension,
              points.getFirst(),
              points.getLast(),
              dimension,
              value));
    }
    int index = Collections.binarySearch(points, value);
    return index >= 0 ? index : -index - 2;
  }
}
