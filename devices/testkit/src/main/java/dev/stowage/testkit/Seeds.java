package dev.stowage.testkit;

import java.util.stream.LongStream;

/**
 * The seeds of a random test.
 *
 * <p>{@code -Dtests.seed=N} runs only seed N. {@code -Dtests.scale=F} runs F times as many seeds.
 */
final class Seeds {

  private Seeds() {}

  /**
   * {@return the seeds from 0, or the seed of the option}
   *
   * @param count the number of seeds at scale 1; there is at least one seed at any scale
   */
  static LongStream of(int count) {
    String seed = System.getProperty("tests.seed", "");
    double scale = Double.parseDouble(System.getProperty("tests.scale", "1"));
    return seed.isEmpty()
        ? LongStream.range(0, Math.max(1, Math.round(count * scale)))
        : LongStream.of(Long.parseLong(seed));
  }
}
