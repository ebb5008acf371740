package dev.stowage.pages;

import java.util.ArrayList;
import java.util.List;

/** Round numbers along an axis: multiples of 1, 2 or 5 times a power of ten. */
final class Ticks {

  private Ticks() {}

  /**
   * {@return the multiples of one round number between two numbers}
   *
   * @param to the largest number, above {@code from}
   * @param leastStep the smallest step; 1 for whole numbers
   */
  static List<Double> between(double from, double to, int count, double leastStep) {
    double step = Math.max(leastStep, roundStep((to - from) / count));
    List<Double> ticks = new ArrayList<>();
    double first = Math.ceil(from / step);
    for (int i = 0; (first + i) * step <= to && i <= count; i++) {
      ticks.add((first + i) * step);
    }
    return ticks;
  }

  private static double roundStep(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (int factor : new int[] {1, 2, 5}) {
      if (factor * power >= least) {
        return factor * power;
      }
    }
    return 10 * power;
  }
}
