package dev.stowage.testing;

import java.util.Properties;
import java.util.stream.LongStream;

/**
 * The seeds of a random test.
 *
 * <p>{@code -Dtests.seed=N} runs only seed N. {@code -Dtests.scale=F} runs F times as many seeds.
 */
public final class Seeds {

  private Seeds() {}

  /**
   * {@return the seeds from 0, or the seed of the option}
   *
   * @param count the number of seeds at scale 1; there is at least one seed at any scale
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
