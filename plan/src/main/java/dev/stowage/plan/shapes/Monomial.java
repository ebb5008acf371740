package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A product of powers of atoms, with the atoms in ascending order.
 *
 * <p>The order of monomials is graded and lexicographic: a monomial of a higher degree comes first.
 * Multiplication by a monomial keeps the order of two others, as the division of polynomials
 * requires.
 */
record Monomial(List<Factor> factors) implements Comparable<Monomial> {

  /** The highest degree of a monomial. */
  private static final int MAX_DEGREE = 100;

  static final Monomial ONE = new Monomial(List.of());

  /** A power of an atom; {@code power >= 1}. */
  record Factor(Atom atom, int power) {}

  Monomial {
    factors = List.copyOf(factors);
  }

  static Monomial of(Atom atom) {
    return new Monomial(List.of(new Factor(atom, 1)));
  }

  boolean isOne() {
    return factors.isEmpty();
  }

  int degree() {
    int degree = 0;
    for (Factor factor : factors) {
      degree += factor.power();
    }
    return degree;
  }

  /**
   * {@return the product}
   *
   * @throws ArithmeticException if its degree is above the limit
   */
  Monomial times(Monomial other) {
    if (isOne()) {
      return other;
    }
    if (other.isOne()) {
      return this;
    }
    if (degree() + other.degree() > MAX_DEGREE) {
      throw new ArithmeticException(
          "the degree of an expression must not exceed "
              + MAX_DEGREE
              + ": "
              + (degree() + other.degree()));
    }
    List<Factor> product = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < factors.size() || j < other.factors.size()) {
      int order =
          i == factors.size()
              ? 1
              : j == other.factors.size()
                  ? -1
                  : factors.get(i).atom().compareTo(other.factors.get(j).atom());
      if (order == 0) {
        product.add(
            new Factor(
                factors.get(i).atom(), factors.get(i).power() + other.factors.get(j).power()));
        i++;
        j++;
      } else {
        product.add(order < 0 ? factors.get(i++) : other.factors.get(j++));
      }
    }
    return new Monomial(product);
  }

  /** {@return the monomial whose product with {@code divisor} is this one; empty if none} */
  Optional<Monomial> dividedBy(Monomial divisor) {
    List<Factor> quotient = new ArrayList<>(factors);
    for (Factor factor : divisor.factors) {
      int index = indexOf(quotient, factor.atom());
      if (index < 0 || quotient.get(index).power() < factor.power()) {
        return Optional.empty();
      }
      int power = quotient.get(index).power() - factor.power();
      if (power == 0) {
        quotient.remove(index);
      } else {
        quotient.set(index, new Factor(factor.atom(), power));
      }
    }
    return Optional.of(new Monomial(quotient));
  }

  /** {@return the largest monomial that divides both} */
  Monomial commonDivisor(Monomial other) {
    List<Factor> common = new ArrayList<>();
    for (Factor factor : factors) {
      int index = indexOf(other.factors, factor.atom());
      if (index >= 0) {
        common.add(
            new Factor(factor.atom(), Math.min(factor.power(), other.factors.get(index).power())));
      }
    }
    return new Monomial(common);
  }

  private static int indexOf(List<Factor> factors, Atom atom) {
    for (int i = 0; i < factors.size(); i++) {
      if (factors.get(i).atom().equals(atom)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public int compareTo(Monomial other) {
    int byDegree = Integer.compare(other.degree(), degree());
    if (byDegree != 0) {
      return byDegree;
    }
    for (int i = 0; i < Math.min(factors.size(), other.factors.size()); i++) {
      Factor mine = factors.get(i);
      Factor theirs = other.factors.get(i);
      int byAtom = mine.atom().compareTo(theirs.atom());
      if (byAtom != 0) {
        return byAtom;
      }
      if (mine.power() != theirs.power()) {
        return Integer.compare(theirs.power(), mine.power());
      }
    }
    return Integer.compare(other.factors.size(), factors.size());
  }
}
