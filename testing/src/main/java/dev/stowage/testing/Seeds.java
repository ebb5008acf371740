package dev.stowage.testing;

import java.util.Properties;
import java.util.stream.LongStream;

/**
 * The seeds of a random test: {@code -Dtests.seed=N} runs the one seed N, and {@code
 * -Dtests.scale=F} runs F times as many seeds as the test names.
 */
public final class Seeds {

  private Seeds() {}

  /**
   * {@return the seeds to test, from 0 on, or the one seed asked for}
   *
   * @param count how many seeds are tested at scale 1; at least one seed is tested at any scale
   * @throws IllegalArgumentException if a property is not a number, or the scale is not positive
   */
  public static LongStream of(int count) {
    return of(count, System.getProperties());
  }

  static LongStream of(int count, Properties properties) {
    String seed = properties.getProperty("tests.seed", "");
    return seed.isEmpty()
        ? LongStream.range(0, scaled(count, properties.getProperty("tests.scale", "1")))
        : LongStream.of(Long.parseLong(seed));
  }

  private static long scaled(int count, String property) {
    double scale = Double.parseDouble(property);
    if (!(scale > 0 && scale < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("tests.scale must be a positive number: " + property);
    }
    return Math.max(1, Math.round(count * scale));
  }
}
