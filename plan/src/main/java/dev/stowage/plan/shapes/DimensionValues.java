package dev.stowage.plan.shapes;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A positive value for each of some dimensions: one shape. Immutable. */
public final class DimensionValues {

  private final Map<String, Long> values;

  private DimensionValues(Map<String, Long> values) {
    this.values = values;
  }

  /**
   * {@return the values of some dimensions}
   *
   * @param values the value of each dimension, in the order of messages
   * @throws IllegalArgumentException if a name is blank or a value is not positive
   */
  public static DimensionValues of(Map<String, Long> values) {
    values.forEach((name, value) -> {
      DimensionRange.checkName(name);
      if (value < 1) {
        throw new IllegalArgumentException("a dimension must be positive: " + name + "=" + value);
      }
    });
    return new DimensionValues(Collections.unmodifiableMap(new LinkedHashMap<>(values)));
  }

  /**
   * {@return the value of one dimension}
   *
   * @param name the name of the dimension
   * @param value its value
   * @throws IllegalArgumentException if the name is blank or the value is not positive
   */
  public static DimensionValues of(String name, long value) {
    return of(Map.of(name, value));
  }

  /**
   * {@return these values, and the value of another dimension}
   *
   * @param name the name of the dimension
   * @param value its value, which replaces an earlier one
   * @throws IllegalArgumentException if the name is blank or the value is not positive
   */
  public DimensionValues with(String name, long value) {
    Map<String, Long> all = new LinkedHashMap<>(values);
    all.put(name, value);
    return of(all);
  }

  /**
   * {@return the value of a dimension}
   *
   * @param name the name of the dimension
   * @throws IllegalArgumentException if it has no value
   */
  public long get(String name) {
    Long value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("dimension '" + name + "' has no value");
    }
    return value;
  }

  /** {@return the names of the dimensions, in the order of their creation} */
  public Set<String> names() {
    return values.keySet();
  }

  /** {@return the value of each dimension} */
  public Map<String, Long> toMap() {
    return values;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DimensionValues that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** {@return the values as {@code batch=8, seq=128}} */
  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
