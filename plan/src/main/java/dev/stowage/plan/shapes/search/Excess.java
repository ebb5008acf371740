package dev.stowage.plan.shapes.search;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The part by which bytes exceed other bytes, over some shapes: 0.1 means 10 % more.
 *
 * @param maximum the largest excess
 * @param average the mean of all excesses
 */
public record Excess(double maximum, double average) {

  /**
   * {@return the excess of some bytes over others}
   *
   * <p>A shape that needs no bytes has no excess.
   */
  static Excess of(
      List<ComparedShape> shapes,
      ToLongFunction<ComparedShape> bytes,
      ToLongFunction<ComparedShape> reference) {
    double sum = 0;
    double maximum = 0;
    for (ComparedShape shape : shapes) {
      double excess = of(bytes.applyAsLong(shape), reference.applyAsLong(shape));
      sum += excess;
      maximum = Math.max(maximum, excess);
    }
    return new Excess(maximum, shapes.isEmpty() ? 0 : sum / shapes.size());
  }

  static double of(long bytes, long reference) {
    return reference == 0 ? 0 : (double) (bytes - reference) / reference;
  }
}
