package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A range for each dimension, and bounds of expressions over these ranges. */
final class ShapeBox {

  private final Map<String, Interval> ranges;

  private ShapeBox(Map<String, Interval> ranges) {
    this.ranges = ranges;
  }

  static ShapeBox of(DimensionRanges dimensions) {
    Map<String, Interval> ranges = new LinkedHashMap<>();
    for (DimensionRange range : dimensions.ranges()) {
      ranges.put(range.name(), new Interval(range.first(), range.last()));
    }
    return new ShapeBox(ranges);
  }

  ShapeBox with(String name, Interval range) {
    Map<String, Interval> changed = new LinkedHashMap<>(ranges);
    changed.put(name, range);
    return new ShapeBox(changed);
  }

  Interval range(String name) {
    Interval range = ranges.get(name);
    if (range == null) {
      throw new IllegalArgumentException("dimension '" + name + "' has no range");
    }
    return range;
  }

  /** {@return the dimensions with more than one value} */
  List<String> openDimensions() {
    List<String> open = new ArrayList<>();
    ranges.forEach((name, range) -> {
      if (range.first() < range.last()) {
        open.add(name);
      }
    });
    return open;
  }

  DimensionValues first() {
    Map<String, Long> values = new LinkedHashMap<>();
    ranges.forEach((name, range) -> values.put(name, range.first()));
    return DimensionValues.of(values);
  }

  DimensionValues last() {
    Map<String, Long> values = new LinkedHashMap<>();
    ranges.forEach((name, range) -> values.put(name, range.last()));
    return DimensionValues.of(values);
  }

  /** {@return the box with all dimensions except for one at their middle values} */
  ShapeBox line(String open) {
    Map<String, Interval> line = new LinkedHashMap<>();
    ranges.forEach((name, range) ->
        line.put(
            name,
            name.equals(open)
                ? range
                : Interval.of(range.first() + (range.last() - range.first()) / 2)));
    return new ShapeBox(line);
  }

  /** {@return the two halves of the box} */
  List<ShapeBox> halves(String name) {
    Interval range = range(name);
    long middle = range.first() + (range.last() - range.first()) / 2;
    return List.of(
        with(name, new Interval(range.first(), middle)),
        with(name, new Interval(middle + 1, range.last())));
  }

  /** {@return a range of all values of an expression, term by term} */
  Interval bounds(Polynomial expression) {
    Interval sum = Interval.of(0);
    for (Polynomial.Term term : expression.terms()) {
      sum = sum.plus(bounds(term.monomial()).times(Interval.of(term.coefficient())));
    }
    return sum;
  }

  /** {@return the dimension whose largest value is the largest multiple of its smallest value} */
  String relativelyWidest(List<String> open) {
    String widest = open.getFirst();
    for (String name : open) {
      Interval a = range(name);
      Interval b = range(widest);
      if ((double) a.last() / a.first() > (double) b.last() / b.first()) {
        widest = name;
      }
    }
    return widest;
  }

  /** {@return the dimension that changes the bounds of an expression most} */
  String widest(Polynomial expression, List<String> open) {
    String widest = open.getFirst();
    long most = -1;
    for (String name : open) {
      long width = line(name).bounds(expression).width();
      if (width > most) {
        most = width;
        widest = name;
      }
    }
    return widest;
  }

  Interval bounds(Monomial monomial) {
    Interval product = Interval.of(1);
    for (Monomial.Factor factor : monomial.factors()) {
      Interval bounds = bounds(factor.atom());
      for (int i = 0; i < factor.power(); i++) {
        product = product.times(bounds);
      }
    }
    return product;
  }

  Interval bounds(Atom atom) {
    return switch (atom) {
      case Atom.Dimension dimension -> range(dimension.name());
      case Atom.Quotient quotient ->
          bounds(quotient.dividend()).floorDividedBy(bounds(quotient.divisor()));
      case Atom.Maximum maximum -> {
        // Each argument once: they may be nested deeply.
        Interval largest = new Interval(Long.MIN_VALUE, Long.MIN_VALUE);
        for (Polynomial argument : maximum.arguments()) {
          largest = largest.max(bounds(argument));
        }
        yield largest;
      }
    };
  }

  /** {@return true if no shape makes a result or an intermediate result exceed a long} */
  boolean isEvaluable(Polynomial expression) {
    Interval sum = Interval.of(0);
    for (Polynomial.Term term : expression.terms()) {
      Interval product = Interval.of(1);
      for (Monomial.Factor factor : term.monomial().factors()) {
        if (!isEvaluable(factor.atom())) {
          return false;
        }
        for (int i = 0; i < factor.power(); i++) {
          product = product.times(bounds(factor.atom()));
          if (!product.isFinite()) {
            return false;
          }
        }
      }
      product = product.times(Interval.of(term.coefficient()));
      sum = sum.plus(product);
      if (!product.isFinite() || !sum.isFinite()) {
        return false;
      }
    }
    return true;
  }

  private boolean isEvaluable(Atom atom) {
    return switch (atom) {
      case Atom.Dimension dimension -> true;
      case Atom.Quotient quotient ->
          isEvaluable(quotient.dividend())
              && isEvaluable(quotient.divisor())
              && bounds(quotient.divisor()).first() >= 1;
      case Atom.Maximum maximum -> maximum.arguments().stream().allMatch(this::isEvaluable);
    };
  }

  /**
   * {@return a number that no value of an expression is below; empty if unknown}
   *
   * <p>Each atom is its lower bound plus a part from 0 to the width of its range. The terms of the
   * expanded polynomial are bounded one by one. This bound is 0 for {@code (x - 1)*(y - 1)} at
   * ranges from 1, for which the bound of the terms of {@code x*y - x - y + 1} is negative.
   */
  Optional<Long> shiftedBound(Polynomial expression) {
    try {
      Polynomial shifted = Polynomial.ZERO;
      for (Polynomial.Term term : expression.terms()) {
        Polynomial product = Polynomial.of(term.coefficient());
        for (Monomial.Factor factor : term.monomial().factors()) {
          Interval bounds = bounds(factor.atom());
          if (!bounds.isFinite()) {
            return Optional.empty();
          }
          Polynomial value =
              bounds.first() == bounds.last()
                  ? Polynomial.of(bounds.first())
                  : Polynomial.of(factor.atom()).plus(bounds.first());
          for (int i = 0; i < factor.power(); i++) {
            product = product.times(value);
          }
        }
        shifted = shifted.plus(product);
      }
      long bound = 0;
      for (Polynomial.Term term : shifted.terms()) {
        if (term.monomial().isOne()) {
          bound = Math.addExact(bound, term.coefficient());
        } else if (term.coefficient() < 0) {
          bound =
              Math.addExact(
                  bound, Math.multiplyExact(term.coefficient(), largestParts(term.monomial())));
        }
      }
      return Optional.of(bound);
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** {@return the product of the largest parts of atoms above their lower bounds} */
  private long largestParts(Monomial monomial) {
    long product = 1;
    for (Monomial.Factor factor : monomial.factors()) {
      Interval bounds = bounds(factor.atom());
      long width = Math.subtractExact(bounds.last(), bounds.first());
      for (int i = 0; i < factor.power(); i++) {
        product = Math.multiplyExact(product, width);
      }
    }
    return product;
  }
}
