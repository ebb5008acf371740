package dev.stowage.plan.shapes;

import dev.stowage.plan.base.Alignment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An immutable integer expression over named, positive dimensions: {@code 2*batch*seq + 64}.
 *
 * <p>An expression is kept in a canonical form: a polynomial with integer coefficients over
 * dimensions, floors of quotients and maximums. A minimum is the negative maximum of the negated
 * arguments. Arithmetic simplifies: {@code (6*b*s)/(3*s)} is {@code 2*b}, because dimensions are
 * positive. Expressions with equal canonical forms are equal. Some expressions have equal values
 * but different canonical forms; a {@link ShapeProver} compares values.
 *
 * <p>All methods that return an expression throw an {@link ArithmeticException} if a coefficient
 * does not fit a {@code long}, or the result has more than 10,000 parts, a degree above 100, or
 * more than 100 floors and maximums within each other.
 */
public final class SizeExpression implements Comparable<SizeExpression> {

  static final SizeExpression ZERO = new SizeExpression(List.of());

  /** A monomial and its coefficient, which is not 0. */
  record Term(Monomial monomial, long coefficient) {}

  /** The terms, by monomial; no two have the same. */
  private final List<Term> terms;

  private final int partCount;
  private final int depth;
  private final int hash;

  /** The bounds, computed when they are first needed; threads may compute them more than once. */
  private @Nullable OptionalLong lowerBound;

  private @Nullable OptionalLong upperBound;

  private SizeExpression(List<Term> terms) {
    this.terms = List.copyOf(terms);
    this.partCount = ExpressionLimits.partCount(terms);
    this.hash = this.terms.hashCode();
    this.depth = ExpressionLimits.depth(terms);
  }

  /**
   * {@return a constant}
   *
   * @param value the value
   */
  public static SizeExpression of(long value) {
    return value == 0 ? ZERO : new SizeExpression(List.of(new Term(Monomial.ONE, value)));
  }

  /**
   * {@return a dimension}
   *
   * @param name the name of the dimension, of any characters
   * @throws IllegalArgumentException if the name is blank
   */
  public static SizeExpression dimension(String name) {
    DimensionRange.checkName(name);
    return of(new Dimension(name));
  }

  /**
   * Reads an expression.
   *
   * <p>An expression consists of whole numbers, dimensions, {@code + - * /} and parentheses. A
   * division rounds down. Functions: {@code floor(a/b)}, {@code ceil(a/b)}, {@code max(a, b, …)},
   * {@code min(a, b, …)} and {@code roundup(a, n)}, the smallest multiple of n that is at least a.
   * The name of a dimension consists of letters, digits, {@code _} and {@code .}, and does not
   * start with a digit. Any other name is written in single quotes, with each quote in it doubled.
   *
   * @param text the expression
   * @return the expression
   * @throws IllegalArgumentException if the text is not an expression, or the expression has no
   *     canonical form within the limits
   */
  public static SizeExpression parse(String text) {
    return new ExpressionParser(text).parse();
  }

  static SizeExpression of(Atom atom) {
    return new SizeExpression(List.of(new Term(Monomial.of(atom), 1)));
  }

  static SizeExpression of(Monomial monomial, long coefficient) {
    return coefficient == 0 ? ZERO : new SizeExpression(List.of(new Term(monomial, coefficient)));
  }

  /** {@return the sum of some terms, in any order and with repeated monomials} */
  static SizeExpression sum(List<Term> summands) {
    Map<Monomial, Long> sums = new TreeMap<>();
    for (Term term : summands) {
      sums.merge(term.monomial(), term.coefficient(), Math::addExact);
    }
    List<Term> terms = new ArrayList<>();
    sums.forEach((monomial, coefficient) -> {
      if (coefficient != 0) {
        terms.add(new Term(monomial, coefficient));
      }
    });
    return terms.isEmpty() ? ZERO : new SizeExpression(terms);
  }

  List<Term> terms() {
    return terms;
  }

  /**
   * {@return the sum}
   *
   * @param other the other summand
   */
  public SizeExpression plus(SizeExpression other) {
    if (other.terms.isEmpty()) {
      return this;
    }
    List<Term> summands = new ArrayList<>(terms);
    summands.addAll(other.terms);
    return sum(summands);
  }

  /**
   * {@return the sum}
   *
   * @param value the other summand
   */
  public SizeExpression plus(long value) {
    return plus(of(value));
  }

  /**
   * {@return the difference}
   *
   * @param other the expression to subtract
   */
  public SizeExpression minus(SizeExpression other) {
    return plus(other.negated());
  }

  /**
   * {@return the product}
   *
   * @param other the other factor
   */
  public SizeExpression times(SizeExpression other) {
    ExpressionLimits.checkProduct(terms.size(), other.terms.size());
    List<Term> products = new ArrayList<>();
    for (Term a : terms) {
      for (Term b : other.terms) {
        products.add(
            new Term(
                a.monomial().times(b.monomial()),
                Math.multiplyExact(a.coefficient(), b.coefficient())));
      }
    }
    return sum(products);
  }

  /**
   * {@return the product}
   *
   * @param value the other factor
   */
  public SizeExpression times(long value) {
    return times(of(value));
  }

  /**
   * {@return the quotient, rounded down}
   *
   * @param divisor the divisor. If it is not positive for the values of the dimensions, {@link
   *     #evaluate} throws an exception
   * @throws IllegalArgumentException if the divisor is a constant that is not positive
   */
  public SizeExpression floorDivide(SizeExpression divisor) {
    return FloorDivision.of(this, divisor);
  }

  /**
   * {@return the quotient, rounded down}
   *
   * @param divisor the divisor
   * @throws IllegalArgumentException if the divisor is not positive
   */
  public SizeExpression floorDivide(long divisor) {
    return floorDivide(of(divisor));
  }

  /**
   * {@return the quotient, rounded up}
   *
   * @param divisor the divisor, as for {@link #floorDivide(SizeExpression)}
   * @throws IllegalArgumentException if the divisor is a constant that is not positive
   */
  public SizeExpression ceilDivide(SizeExpression divisor) {
    return plus(divisor).plus(-1).floorDivide(divisor);
  }

  /**
   * {@return the quotient, rounded up}
   *
   * @param divisor the divisor
   * @throws IllegalArgumentException if the divisor is not positive
   */
  public SizeExpression ceilDivide(long divisor) {
    return ceilDivide(of(divisor));
  }

  /**
   * {@return the smallest multiple of a number that is not below this expression}
   *
   * @param multiple the number
   * @throws IllegalArgumentException if {@code multiple < 1}
   */
  public SizeExpression roundUpTo(long multiple) {
    return ceilDivide(multiple).times(multiple);
  }

  /**
   * {@return the larger one of two expressions}
   *
   * @param other the other expression
   */
  public SizeExpression max(SizeExpression other) {
    return Maximum.of(List.of(this, other));
  }

  /**
   * {@return the smaller one of two expressions}
   *
   * @param other the other expression
   */
  public SizeExpression min(SizeExpression other) {
    return negated().max(other.negated()).negated();
  }

  /**
   * {@return this expression with another one in place of a dimension}
   *
   * @param name the name of the dimension
   * @param replacement an expression that is positive for all values of its dimensions
   */
  public SizeExpression substitute(String name, SizeExpression replacement) {
    return dimensions().contains(name) ? Substitution.of(this, name, replacement) : this;
  }

  /**
   * {@return the value}
   *
   * @param values a value for each dimension of this expression
   * @throws ArithmeticException if the value or an intermediate result does not fit a {@code long},
   *     or a divisor is not positive
   * @throws IllegalArgumentException if a dimension of this expression has no value
   */
  public long evaluate(DimensionValues values) {
    long sum = 0;
    for (Term term : terms) {
      sum =
          Math.addExact(
              sum, Math.multiplyExact(term.coefficient(), term.monomial().evaluate(values)));
    }
    return sum;
  }

  /** {@return the value if it does not depend on dimensions} */
  public OptionalLong constant() {
    if (terms.isEmpty()) {
      return OptionalLong.of(0);
    }
    return terms.size() == 1 && terms.getFirst().monomial().isOne()
        ? OptionalLong.of(terms.getFirst().coefficient())
        : OptionalLong.empty();
  }

  /** {@return the names of the dimensions, sorted} */
  public Set<String> dimensions() {
    Set<String> names = new TreeSet<>();
    addDimensions(names);
    return Collections.unmodifiableSet(names);
  }

  void addDimensions(Set<String> names) {
    for (Term term : terms) {
      for (Monomial.Factor factor : term.monomial().factors()) {
        factor.atom().addDimensions(names);
      }
    }
  }

  SizeExpression negated() {
    List<Term> negated = new ArrayList<>();
    for (Term term : terms) {
      negated.add(new Term(term.monomial(), Math.negateExact(term.coefficient())));
    }
    return negated.isEmpty() ? ZERO : new SizeExpression(negated);
  }

  /** {@return the atom, if this expression is one} */
  Optional<Atom> atom() {
    return terms.size() == 1
            && terms.getFirst().coefficient() == 1
            && terms.getFirst().monomial().degree() == 1
        ? Optional.of(terms.getFirst().monomial().factors().getFirst().atom())
        : Optional.empty();
  }

  /** {@return the greatest common divisor of all coefficients; 0 if there are none} */
  long content() {
    long content = 0;
    for (Term term : terms) {
      if (term.coefficient() == Long.MIN_VALUE) {
        return 1;
      }
      content = Alignment.greatestCommonDivisor(Math.abs(term.coefficient()), content);
    }
    return content;
  }

  /** {@return this expression with each coefficient divided by a divisor of all} */
  SizeExpression dividedByContent(long divisor) {
    List<Term> divided = new ArrayList<>();
    for (Term term : terms) {
      divided.add(new Term(term.monomial(), term.coefficient() / divisor));
    }
    return divided.isEmpty() ? ZERO : new SizeExpression(divided);
  }

  /** {@return the term without factors; 0 if there is none} */
  long constantTerm() {
    return !terms.isEmpty() && terms.getLast().monomial().isOne()
        ? terms.getLast().coefficient()
        : 0;
  }

  /** {@return a number that no value is below, for all positive dimensions; empty if unknown} */
  OptionalLong lowerBound() {
    OptionalLong known = lowerBound;
    if (known == null) {
      known = PositiveBounds.below(this);
      lowerBound = known;
    }
    return known;
  }

  /** {@return a number that no value exceeds, for all positive dimensions; empty if unknown} */
  OptionalLong upperBound() {
    OptionalLong known = upperBound;
    if (known == null) {
      known = PositiveBounds.above(this);
      upperBound = known;
    }
    return known;
  }

  int partCount() {
    return partCount;
  }

  int depth() {
    return depth;
  }

  /** Compares by the terms, in an arbitrary order that is consistent with {@link #equals}. */
  @Override
  public int compareTo(SizeExpression other) {
    if (this == other) {
      return 0;
    }
    for (int i = 0; i < Math.min(terms.size(), other.terms.size()); i++) {
      int byMonomial = terms.get(i).monomial().compareTo(other.terms.get(i).monomial());
      if (byMonomial != 0) {
        return byMonomial;
      }
      int byCoefficient =
          Long.compare(terms.get(i).coefficient(), other.terms.get(i).coefficient());
      if (byCoefficient != 0) {
        return byCoefficient;
      }
    }
    return Integer.compare(terms.size(), other.terms.size());
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof SizeExpression that && hash == that.hash && terms.equals(that.terms));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** {@return the expression as text that {@link #parse} reads back} */
  @Override
  public String toString() {
    return ExpressionText.of(this);
  }
}
