package dev.stowage.plan.shapes;

import dev.stowage.plan.base.Alignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The simplification of maximums. */
final class LargestOf {

  /** The number of arguments up to which each is compared with all others. */
  private static final int MAX_COMPARED = 64;

  private LargestOf() {}

  /** {@return the largest of some polynomials, simplified} */
  static Polynomial of(List<Polynomial> polynomials) {
    TreeSet<Polynomial> flat = new TreeSet<>();
    for (Polynomial polynomial : polynomials) {
      addFlat(polynomial, flat);
    }
    List<Polynomial> largest = withoutDominated(List.copyOf(flat));
    if (largest.size() == 1) {
      return largest.getFirst();
    }
    long content = 0;
    for (Polynomial argument : largest) {
      content = Alignment.greatestCommonDivisor(argument.content(), content);
    }
    if (content <= 1) {
      return atom(largest);
    }
    List<Polynomial> reduced = new ArrayList<>();
    for (Polynomial argument : largest) {
      reduced.add(argument.dividedByContent(content));
    }
    return atom(reduced).times(content);
  }

  private static Polynomial atom(List<Polynomial> arguments) {
    return Polynomial.of(new Atom.Maximum(arguments, PositiveBounds.ofLargest(arguments)));
  }

  /** Adds a polynomial, or the arguments if it is a positive multiple of a maximum. */
  private static void addFlat(Polynomial polynomial, Set<Polynomial> flat) {
    if (polynomial.terms().size() == 1
        && polynomial.terms().getFirst() instanceof Polynomial.Term(var monomial, var factor)
        && factor > 0
        && monomial.degree() == 1
        && monomial.factors().getFirst().atom() instanceof Atom.Maximum nested) {
      for (Polynomial argument : nested.arguments()) {
        flat.add(argument.times(factor));
      }
    } else {
      flat.add(polynomial);
    }
  }

  /** {@return the arguments, except for those that another one is at least as large as} */
  private static List<Polynomial> withoutDominated(List<Polynomial> arguments) {
    if (arguments.size() > MAX_COMPARED) {
      return arguments;
    }
    List<Polynomial> kept = new ArrayList<>(arguments);
    for (int i = kept.size() - 1; i >= 0; i--) {
      for (int j = 0; j < kept.size(); j++) {
        if (i != j && isAtLeast(kept.get(j), kept.get(i))) {
          kept.remove(i);
          break;
        }
      }
    }
    return kept;
  }

  private static boolean isAtLeast(Polynomial a, Polynomial b) {
    try {
      return PositiveBounds.below(a.minus(b)).orElse(-1) >= 0;
    } catch (ArithmeticException e) {
      // The difference is too large to be a polynomial: both stay.
      return false;
    }
  }
}
