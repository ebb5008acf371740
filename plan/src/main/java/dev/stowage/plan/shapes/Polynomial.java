package dev.stowage.plan.shapes;

import dev.stowage.plan.base.Alignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A polynomial with integer coefficients over atoms: the canonical form of a {@link
 * SizeExpression}.
 *
 * <p>All methods that return a polynomial throw an {@link ArithmeticException} if it is above one
 * of the {@link ExpressionLimits}.
 */
final class Polynomial implements Comparable<Polynomial> {

  static final Polynomial ZERO = new Polynomial(List.of());

  /** A monomial and its coefficient, which is not 0. */
  record Term(Monomial monomial, long coefficient) {}

  /** The terms, by monomial; no two have the same. */
  private final List<Term> terms;

  private final int partCount;
  private final int depth;
  private final int hash;

  private Polynomial(List<Term> terms) {
    this.terms = List.copyOf(terms);
    this.partCount = partCount(terms);
    this.hash = this.terms.hashCode();
    this.depth = depth(terms);
  }

  private static int partCount(List<Term> terms) {
    long count = 0;
    for (Term term : terms) {
      count++;
      for (Monomial.Factor factor : term.monomial().factors()) {
        count += factor.atom().partCount();
      }
    }
    ExpressionLimits.checkParts(count);
    return (int) Math.max(1, count);
  }

  private static int depth(List<Term> terms) {
    int depth = 0;
    for (Term term : terms) {
      for (Monomial.Factor factor : term.monomial().factors()) {
        depth = Math.max(depth, factor.atom().depth());
      }
    }
    ExpressionLimits.checkDepth(depth);
    return depth;
  }

  static Polynomial of(long value) {
    return value == 0 ? ZERO : new Polynomial(List.of(new Term(Monomial.ONE, value)));
  }

  static Polynomial of(Atom atom) {
    return new Polynomial(List.of(new Term(Monomial.of(atom), 1)));
  }

  static Polynomial of(Monomial monomial, long coefficient) {
    return coefficient == 0 ? ZERO : new Polynomial(List.of(new Term(monomial, coefficient)));
  }

  /** {@return the sum of some terms, in any order and with repeated monomials} */
  static Polynomial sum(List<Term> summands) {
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
    return terms.isEmpty() ? ZERO : new Polynomial(terms);
  }

  List<Term> terms() {
    return terms;
  }

  Polynomial plus(Polynomial other) {
    if (other.terms.isEmpty()) {
      return this;
    }
    List<Term> summands = new ArrayList<>(terms);
    summands.addAll(other.terms);
    return sum(summands);
  }

  Polynomial plus(long value) {
    return plus(of(value));
  }

  Polynomial minus(Polynomial other) {
    return plus(other.negated());
  }

  Polynomial times(Polynomial other) {
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

  Polynomial times(long value) {
    return times(of(value));
  }

  Polynomial negated() {
    List<Term> negated = new ArrayList<>();
    for (Term term : terms) {
      negated.add(new Term(term.monomial(), Math.negateExact(term.coefficient())));
    }
    return negated.isEmpty() ? ZERO : new Polynomial(negated);
  }

  /** {@return the value if it does not depend on dimensions} */
  OptionalLong constant() {
    if (terms.isEmpty()) {
      return OptionalLong.of(0);
    }
    return terms.size() == 1 && terms.getFirst().monomial().isOne()
        ? OptionalLong.of(terms.getFirst().coefficient())
        : OptionalLong.empty();
  }

  /** {@return the names of the dimensions, sorted} */
  Set<String> dimensions() {
    Set<String> names = new TreeSet<>();
    addDimensions(names);
    return names;
  }

  void addDimensions(Set<String> names) {
    for (Term term : terms) {
      for (Monomial.Factor factor : term.monomial().factors()) {
        factor.atom().addDimensions(names);
      }
    }
  }

  /** {@return the atom, if this polynomial is one} */
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

  /** {@return this polynomial with each coefficient divided by a divisor of all} */
  Polynomial dividedByContent(long divisor) {
    List<Term> divided = new ArrayList<>();
    for (Term term : terms) {
      divided.add(new Term(term.monomial(), term.coefficient() / divisor));
    }
    return divided.isEmpty() ? ZERO : new Polynomial(divided);
  }

  /** {@return the term without factors; 0 if there is none} */
  long constantTerm() {
    return !terms.isEmpty() && terms.getLast().monomial().isOne()
        ? terms.getLast().coefficient()
        : 0;
  }

  int partCount() {
    return partCount;
  }

  int depth() {
    return depth;
  }

  /** Compares by the terms, in an arbitrary order that is consistent with {@link #equals}. */
  @Override
  public int compareTo(Polynomial other) {
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
        || (other instanceof Polynomial that && hash == that.hash && terms.equals(that.terms));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
