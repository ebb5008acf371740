package dev.stowage.plan.shapes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A prover of statements about expressions for all shapes of a range.
 *
 * <p>Values are mathematical integers: a proof holds even where {@link SizeExpression#evaluate}
 * would report an overflow. A proof or a counterexample is exact. The prover gives up after a
 * number of boxes.
 */
public final class ShapeProver {

  /*
   * An expression is not negative in a box if
   *
   *   - one of its bounds over the box is not negative (ShapeBox.bounds, shiftedBound), or
   *   - a smaller expression without a floor or a maximum is not negative (AtomRelaxation), or
   *   - it is not negative in both halves of the box. A dimension in which the expression only grows,
   *     or only falls, needs one value instead of halves.
   *
   * A box of one shape is decided by its value. The number of boxes is limited, because an expression
   * that is 0 along a diagonal needs a box for each point of it.
   */

  private static final int DEFAULT_BOX_LIMIT = 20_000;

  private final DimensionRanges ranges;
  private final int boxLimit;

  private ShapeProver(DimensionRanges ranges, int boxLimit) {
    this.ranges = ranges;
    this.boxLimit = boxLimit;
  }

  /**
   * {@return a prover that gives up after 20,000 boxes}
   *
   * @param ranges the shapes
   */
  public static ShapeProver of(DimensionRanges ranges) {
    return new ShapeProver(ranges, DEFAULT_BOX_LIMIT);
  }

  /**
   * {@return this prover with another limit}
   *
   * @param boxes the number of boxes after which it gives up
   * @throws IllegalArgumentException if {@code boxes < 1}
   */
  public ShapeProver withBoxLimit(int boxes) {
    if (boxes < 1) {
      throw new IllegalArgumentException("boxes must be positive: boxes=" + boxes);
    }
    return new ShapeProver(ranges, boxes);
  }

  /**
   * {@return true if the prover finds a proof that an expression is defined and not negative for
   * all shapes}
   *
   * @param expression the expression
   * @throws IllegalArgumentException if a dimension of the expression has no range
   */
  public boolean isNotNegative(SizeExpression expression) {
    return proveNotNegative(expression).isProved();
  }

  /**
   * {@return a phrase with a shape for which an expression is negative or not defined, such as "n -
   * 5 is -4 at n=1"; empty if the prover finds a proof that there is none, or no shape}
   *
   * @param expression the expression
   * @throws IllegalArgumentException if a dimension of the expression has no range
   */
  public Optional<String> refutation(SizeExpression expression) {
    return proveNotNegative(expression) instanceof ShapeProof.Refuted refuted
        ? Optional.of(refuted.reason() + " at " + refuted.counterexample())
        : Optional.empty();
  }

  /**
   * {@return true if the prover finds a proof that an expression is at least as large as another
   * one for all shapes}
   *
   * @param larger the expression
   * @param smaller the other one
   * @throws IllegalArgumentException if a dimension has no range
   */
  public boolean isAtLeast(SizeExpression larger, SizeExpression smaller) {
    return proveAtLeast(larger, smaller).isProved();
  }

  /**
   * {@return a shape for which an expression is smaller than another one; empty if the prover finds
   * a proof that there is none, or no shape}
   *
   * @param larger the expression
   * @param smaller the other one
   * @throws IllegalArgumentException if a dimension has no range
   */
  public Optional<DimensionValues> counterexample(SizeExpression larger, SizeExpression smaller) {
    return proveAtLeast(larger, smaller) instanceof ShapeProof.Refuted refuted
        ? Optional.of(refuted.counterexample())
        : Optional.empty();
  }

  /** {@return a proof or a counterexample that an expression is defined and not negative} */
  ShapeProof proveNotNegative(SizeExpression expression) {
    return prove(expression.polynomial());
  }

  private ShapeProof proveAtLeast(SizeExpression larger, SizeExpression smaller) {
    try {
      return prove(larger.polynomial().minus(smaller.polynomial()));
    } catch (ArithmeticException e) {
      return new ShapeProof.Undecided("the difference is too large: " + e.getMessage());
    }
  }

  private ShapeProof prove(Polynomial expression) {
    ranges.checkRanges(expression.dimensions());
    List<Polynomial> divisors = new ArrayList<>();
    addDivisors(expression, divisors);
    for (Polynomial divisor : divisors) {
      ShapeProof positive = decide(divisor.plus(-1));
      if (positive instanceof ShapeProof.Refuted refuted) {
        return new ShapeProof.Refuted(
            refuted.counterexample(),
            String.format(
                Locale.ROOT,
                "the divisor %s is %d",
                ExpressionText.of(divisor),
                Evaluation.of(divisor, refuted.counterexample())));
      }
      if (!positive.isProved()) {
        return positive;
      }
    }
    return decide(expression);
  }

  /** Adds the divisors that are not constants, inner ones first. */
  private static void addDivisors(Polynomial expression, List<Polynomial> divisors) {
    for (Polynomial.Term term : expression.terms()) {
      for (Monomial.Factor factor : term.monomial().factors()) {
        switch (factor.atom()) {
          case Atom.Dimension dimension -> {}
          case Atom.Maximum maximum ->
              maximum.arguments().forEach(argument -> addDivisors(argument, divisors));
          case Atom.Quotient quotient -> {
            addDivisors(quotient.dividend(), divisors);
            addDivisors(quotient.divisor(), divisors);
            if (quotient.divisor().constant().isEmpty()) {
              divisors.add(quotient.divisor());
            }
          }
        }
      }
    }
  }

  private ShapeProof decide(Polynomial expression) {
    ShapeBox all = ShapeBox.of(ranges);
    if (AtomRelaxation.isNotNegative(expression, all)) {
      return new ShapeProof.Proved();
    }
    Deque<ShapeBox> boxes = new ArrayDeque<>();
    boxes.push(all);
    int count = 0;
    while (!boxes.isEmpty()) {
      if (++count > boxLimit) {
        return new ShapeProof.Undecided(
            String.format(
                Locale.ROOT,
                "not decided after %d boxes: %s >= 0",
                boxLimit,
                shortened(expression)));
      }
      ShapeBox box = atSmallest(expression, boxes.pop());
      if (box.bounds(expression).first() >= 0 || box.shiftedBound(expression).orElse(-1L) >= 0) {
        continue;
      }
      Optional<ShapeProof.Refuted> refuted = negativeCorner(expression, box);
      if (refuted.isPresent()) {
        return refuted.get();
      }
      List<String> open = box.openDimensions();
      if (box.bounds(expression).last() < 0) {
        // Negative for each shape, although the values do not fit a long.
        return new ShapeProof.Refuted(box.first(), shortened(expression) + " is negative");
      }
      if (open.isEmpty()) {
        return new ShapeProof.Undecided(
            String.format(
                Locale.ROOT,
                "the value of %s does not fit a long at %s",
                shortened(expression),
                box.first()));
      }
      List<ShapeBox> halves = box.halves(box.widest(expression, open));
      boxes.push(halves.get(1));
      boxes.push(halves.get(0));
    }
    return new ShapeProof.Proved();
  }

  /** {@return the part of a box with the smallest values, as far as directions are known} */
  private static ShapeBox atSmallest(Polynomial expression, ShapeBox box) {
    ShapeBox smallest = box;
    for (String name : box.openDimensions()) {
      Interval range = smallest.range(name);
      smallest =
          switch (Direction.of(expression, name, smallest)) {
            case UP, CONSTANT -> smallest.with(name, Interval.of(range.first()));
            case DOWN -> smallest.with(name, Interval.of(range.last()));
            case UNKNOWN -> smallest;
          };
    }
    return smallest;
  }

  private static Optional<ShapeProof.Refuted> negativeCorner(Polynomial expression, ShapeBox box) {
    for (DimensionValues corner : List.of(box.first(), box.last())) {
      OptionalLong value = value(expression, corner);
      if (value.isPresent() && value.getAsLong() < 0) {
        return Optional.of(
            new ShapeProof.Refuted(
                corner,
                String.format(Locale.ROOT, "%s is %d", shortened(expression), value.getAsLong())));
      }
    }
    return Optional.empty();
  }

  /** {@return the value; empty if it does not fit a long, so that smaller boxes have to decide} */
  private static OptionalLong value(Polynomial expression, DimensionValues values) {
    try {
      return OptionalLong.of(Evaluation.of(expression, values));
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  private static String shortened(Polynomial expression) {
    String text = ExpressionText.of(expression);
    return text.length() <= 200 ? text : text.substring(0, 200) + "…";
  }
}
