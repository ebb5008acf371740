package dev.stowage.plan.shapes;

import java.util.List;
import java.util.Set;

/** A factor that the arithmetic of polynomials does not look into. */
sealed interface Atom extends Comparable<Atom> {

  /** {@return bounds of the value for all positive dimensions} */
  ValueBounds bounds();

  /** Adds the names of all dimensions. */
  void addDimensions(Set<String> names);

  /** {@return the number of parts of the atom, at least 1} */
  int partCount();

  /** {@return the number of atoms within each other, at least 1} */
  int depth();

  /** {@return the position of this kind of atom in the order of all atoms} */
  int rank();

  /** A named positive dimension. */
  record Dimension(String name) implements Atom {

    @Override
    public ValueBounds bounds() {
      return ValueBounds.POSITIVE;
    }

    @Override
    public void addDimensions(Set<String> names) {
      names.add(name);
    }

    @Override
    public int partCount() {
      return 1;
    }

    @Override
    public int depth() {
      return 1;
    }

    @Override
    public int rank() {
      return 0;
    }

    @Override
    public int compareTo(Atom other) {
      return other instanceof Dimension that
          ? name.compareTo(that.name)
          : Integer.compare(rank(), other.rank());
    }
  }

  /** The floor of a quotient that {@link FloorDivision} cannot simplify. */
  record Quotient(Polynomial dividend, Polynomial divisor, ValueBounds bounds) implements Atom {

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

  /** The largest of two or more polynomials, in ascending order. */
  record Maximum(List<Polynomial> arguments, ValueBounds bounds) implements Atom {

    public Maximum {
      arguments = List.copyOf(arguments);
    }

    @Override
    public void addDimensions(Set<String> names) {
      arguments.forEach(argument -> argument.addDimensions(names));
    }

    @Override
    public int partCount() {
      return arguments.stream().mapToInt(Polynomial::partCount).sum();
    }

    @Override
    public int depth() {
      return 1 + arguments.stream().mapToInt(Polynomial::depth).max().orElse(0);
    }

    @Override
    public int rank() {
      return 2;
    }

    @Override
    public int compareTo(Atom other) {
      if (!(other instanceof Maximum that)) {
        return Integer.compare(rank(), other.rank());
      }
      for (int i = 0; i < Math.min(arguments.size(), that.arguments.size()); i++) {
        int order = arguments.get(i).compareTo(that.arguments.get(i));
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(arguments.size(), that.arguments.size());
    }
  }
}
