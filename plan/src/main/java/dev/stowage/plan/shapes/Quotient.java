package dev.stowage.plan.shapes;

import java.util.OptionalLong;
import java.util.Set;

/** The floor of a quotient that {@link FloorDivision} cannot simplify. */
record Quotient(SizeExpression dividend, SizeExpression divisor) implements Atom {

  @Override
  public long evaluate(DimensionValues values) {
    long by = divisor.evaluate(values);
    if (by <= 0) {
      throw new ArithmeticException(
          "a divisor must be positive: " + divisor + " is " + by + " at " + values);
    }
    return Math.floorDiv(dividend.evaluate(values), by);
  }

  @Override
  public OptionalLong lowerBound() {
    OptionalLong numerator = dividend.lowerBound();
    OptionalLong denominator = divisor.constant();
    if (numerator.isEmpty() || divisor.lowerBound().orElse(0) < 1) {
      return OptionalLong.empty();
    }
    if (denominator.isPresent()) {
      return OptionalLong.of(Math.floorDiv(numerator.getAsLong(), denominator.getAsLong()));
    }
    return OptionalLong.of(Math.min(0, numerator.getAsLong()));
  }

  @Override
  public OptionalLong upperBound() {
    OptionalLong numerator = dividend.upperBound();
    return numerator.isEmpty() || divisor.lowerBound().orElse(0) < 1
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, numerator.getAsLong()));
  }

  @Override
  public void addDimensions(Set<String> names) {
    dividend.addDimensions(names);
    divisor.addDimensions(names);
  }

  @Override
  public int partCount() {
    return dividend.partCount() + divisor.partCount();
  }

  @Override
  public int depth() {
    return 1 + Math.max(dividend.depth(), divisor.depth());
  }

  @Override
  public int rank() {
    return 1;
  }

  @Override
  public int compareTo(Atom other) {
    if (other instanceof Quotient that) {
      int byDividend = dividend.compareTo(that.dividend);
      return byDividend != 0 ? byDividend : divisor.compareTo(that.divisor);
    }
    return Integer.compare(rank(), other.rank());
  }
}
