package dev.stowage.cli.budget;

import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * The largest size of a dimension with which a service is within a limit. The other dimensions have
 * their largest sizes.
 *
 * @param name the dimension
 * @param largest the largest size that was measured and fits; empty if none does
 * @param last the last size of the range
 * @param limitBytes the limit
 */
public record BudgetFit(String name, OptionalLong largest, long last, long limitBytes) {

  /** The memory of a size under the load of the service. */
  interface Measurement {

    /** {@return the limit to set for a size; the largest number if there is none} */
    long limitBytes(long size) throws IOException;
  }

  /**
   * {@return the largest size that fits}
   *
   * <p>The search bisects between the known sizes. Their limits are lower bounds, so the largest
   * one that may fit is measured.
   *
   * @param dimension the dimension; its first and last size are the bounds
   * @param known the limit of single rounds for each size that is already measured
   * @param measurement measures a size in processes of its own
   */
  static BudgetFit of(
      MeasuredDimension dimension,
      long limitBytes,
      SortedMap<Long, Long> known,
      Measurement measurement)
      throws IOException {
    long first = dimension.sizes().getFirst();
    long last = dimension.sizes().getLast();
    long fits = first - 1;
    long exceeds = last + 1;
    for (Map.Entry<Long, Long> size : known.entrySet()) {
      if (size.getValue() > limitBytes) {
        exceeds = size.getKey();
        break;
      }
      fits = size.getKey();
    }
    if (fits >= first && measurement.limitBytes(fits) > limitBytes) {
      exceeds = fits;
      fits = first - 1;
    }
    while (exceeds - fits > 1) {
      long next = fits < first ? first : fits + (exceeds - fits) / 2;
      if (measurement.limitBytes(next) <= limitBytes) {
        fits = next;
      } else {
        exceeds = next;
      }
    }
    OptionalLong largest = fits < first ? OptionalLong.empty() : OptionalLong.of(fits);
    return new BudgetFit(dimension.name(), largest, last, limitBytes);
  }
}
