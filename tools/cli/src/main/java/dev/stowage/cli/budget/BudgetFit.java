package dev.stowage.cli.budget;

import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import java.io.IOException;
import java.util.OptionalLong;

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

  /** The memory of a size. */
  interface Measurement {

    /** {@return the limit to set for a size} */
    long limitBytes(long size) throws IOException;
  }

  /**
   * {@return the largest size that fits, by bisection}
   *
   * @param dimension the dimension, whose first and last size are the bounds
   * @param measurement measures a size in a process of its own
   */
  static BudgetFit of(MeasuredDimension dimension, long limitBytes, Measurement measurement)
      throws IOException {
    long last = dimension.sizes().getLast();
    long fits = dimension.sizes().getFirst() - 1;
    long exceeds = last + 1;
    // The last size, then the first one, then those between them.
    long next = last;
    while (exceeds - fits > 1) {
      if (measurement.limitBytes(next) <= limitBytes) {
        fits = next;
      } else {
        exceeds = next;
      }
      next = fits < dimension.sizes().getFirst() ? fits + 1 : fits + (exceeds - fits) / 2;
    }
    OptionalLong largest =
        fits < dimension.sizes().getFirst() ? OptionalLong.empty() : OptionalLong.of(fits);
    return new BudgetFit(dimension.name(), largest, last, limitBytes);
  }
}
