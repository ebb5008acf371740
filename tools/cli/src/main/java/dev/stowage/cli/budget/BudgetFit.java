package dev.stowage.cli.budget;

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
   * @param first the smallest size
   * @param last the largest size
   * @param measurement measures a size in a process of its own
   */
  static BudgetFit of(String name, long first, long last, long limitBytes, Measurement measurement)
      throws IOException {
    if (measurement.limitBytes(last) <= limitBytes) {
      return new BudgetFit(name, OptionalLong.of(last), last, limitBytes);
    }
    if (first == last || measurement.limitBytes(first) > limitBytes) {
      return new BudgetFit(name, OptionalLong.empty(), last, limitBytes);
    }
    long fits = first;
    long exceeds = last;
    while (exceeds - fits > 1) {
      long middle = fits + (exceeds - fits) / 2;
      if (measurement.limitBytes(middle) <= limitBytes) {
        fits = middle;
      } else {
        exceeds = middle;
      }
    }
    return new BudgetFit(name, OptionalLong.of(fits), last, limitBytes);
  }
}
