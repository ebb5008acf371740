package dev.stowage.plan.shapes;

import java.util.OptionalLong;
import java.util.Set;

/** A named positive dimension. */
record Dimension(String name) implements Atom {

  @Override
  public long evaluate(DimensionValues values) {
    return values.get(name);
  }

  @Override
  public OptionalLong lowerBound() {
    return OptionalLong.of(1);
  }

  @Override
  public OptionalLong upperBound() {
    return OptionalLong.empty();
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
