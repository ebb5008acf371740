package dev.stowage.plan.shapes;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Bounds of expressions over a box that follow from the directions in which they grow. */
final class TightBounds {

  private TightBounds() {}

  /** {@return a range of all values, which is exact if the expression only grows or only falls} */
  static Interval of(Polynomial expression, ShapeBox box) {
    ShapeBox smallest = box;
    ShapeBox largest = box;
    for (String name : box.openDimensions()) {
      Interval range = box.range(name);
      switch (Direction.of(expression, name, box)) {
        case UP, CONSTANT -> {
          smallest = smallest.with(name, Interval.of(range.first()));
          largest = largest.with(name, Interval.of(range.last()));
        }
        case DOWN -> {
          smallest = smallest.with(name, Interval.of(range.last()));
          largest = largest.with(name, Interval.of(range.first()));
        }
        case UNKNOWN -> {}
      }
    }
    return new Interval(smallest.bounds(expression).first(), largest.bounds(expression).last());
  }

  /**
   * {@return a number that no value of an expression exceeds: the largest value, unless the search
   * for it needs more than {@code boxLimit} boxes}
   */
  static long largest(Polynomial expression, ShapeBox all, int boxLimit) {
    long found = Long.MIN_VALUE;
    PriorityQueue<BoundedBox> boxes =
        new PriorityQueue<>(Comparator.comparingLong(BoundedBox::bound).reversed());
    boxes.add(new BoundedBox(all, of(expression, all).last()));
    for (int count = 0; count < boxLimit; count++) {
      BoundedBox part = boxes.remove();
      ShapeBox box = part.box;
      if (part.bound <= found) {
        return found;
      }
      for (DimensionValues corner : List.of(box.first(), box.last())) {
        found = Math.max(found, valueOr(expression, corner, found));
      }
      List<String> open = box.openDimensions();
      if (open.isEmpty() || part.bound <= found) {
        return part.bound;
      }
      for (ShapeBox half : box.halves(box.widest(expression, open))) {
        boxes.add(new BoundedBox(half, of(expression, half).last()));
      }
    }
    return boxes.element().bound;
  }

  /** A part of a box and a bound of an expression in it. */
  private record BoundedBox(ShapeBox box, long bound) {}

  private static long valueOr(Polynomial expression, DimensionValues values, long other) {
    try {
      return Evaluation.of(expression, values);
    } catch (ArithmeticException e) {
      return other;
    }
  }
}
