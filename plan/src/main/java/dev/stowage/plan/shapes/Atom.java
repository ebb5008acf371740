package dev.stowage.plan.shapes;

import java.util.OptionalLong;
import java.util.Set;

/** A factor that the arithmetic of polynomials does not look into. */
sealed interface Atom extends Comparable<Atom> permits Dimension, Quotient, Maximum {

  /**
   * {@return the value}
   *
   * @throws ArithmeticException if the value does not fit a long, or a divisor is not positive
   * @throws IllegalArgumentException if a dimension has no value
   */
  long evaluate(DimensionValues values);

  /** {@return a number that no value is below, for all positive dimensions; empty if unknown} */
  OptionalLong lowerBound();

  /** {@return a number that no value exceeds, for all positive dimensions; empty if unknown} */
  OptionalLong upperBound();

  /** Adds the names of all dimensions. */
  void addDimensions(Set<String> names);

  /** {@return the number of parts of the atom, at least 1} */
  int partCount();

  /** {@return the number of atoms within each other, at least 1} */
  int depth();

  /** {@return the position of this kind of atom in the order of all atoms} */
  int rank();
}
