package dev.stowage.cli.gate;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The figures of one input, the options that they depend on, and the records of the input. */
public final class BaselineEntry {

  private static final Comparator<BaselineRecord> ORDER =
      Comparator.comparingLong(BaselineRecord::firstTask)
          .thenComparing(BaselineRecord::name)
          .thenComparingLong(BaselineRecord::lastTask)
          .thenComparingLong(BaselineRecord::size);

  private final SortedMap<String, String> options;
  private final SortedMap<String, Long> figures;
  private final SortedSet<String> proved;
  private final List<BaselineRecord> records;
  private final SortedMap<String, Long> parts;
  private final SortedMap<String, Long> weights;

  /**
   * Creates an entry without parts and weights.
   *
   * @param options the options that change the figures, such as {@code --alignment}, and their
   *     values
   * @param figures the figures by their names; growth is a regression. Those in bytes end with
   *     {@code _bytes}
   * @param proved the names of the figures that are proved to be the smallest possible
   * @param records the records, in any order
   */
  public BaselineEntry(
      SortedMap<String, String> options,
      SortedMap<String, Long> figures,
      SortedSet<String> proved,
      List<BaselineRecord> records) {
    this(options, figures, proved, records, new TreeMap<>(), new TreeMap<>());
  }

  private BaselineEntry(
      SortedMap<String, String> options,
      SortedMap<String, Long> figures,
      SortedSet<String> proved,
      List<BaselineRecord> records,
      SortedMap<String, Long> parts,
      SortedMap<String, Long> weights) {
    this.options = new TreeMap<>(options);
    this.figures = new TreeMap<>(figures);
    this.proved = new TreeSet<>(proved);
    this.records = records.stream().sorted(ORDER).toList();
    this.parts = new TreeMap<>(parts);
    this.weights = new TreeMap<>(weights);
  }

  /**
   * {@return this entry with the parts of its figures}
   *
   * <p>Parts explain the growth of a figure; their own growth is no regression. The name of a
   * figure or part that holds for one shape starts with the shape and a space.
   *
   * @param newParts the bytes of the parts, by names that end with {@code _bytes}
   */
  public BaselineEntry withParts(SortedMap<String, Long> newParts) {
    return new BaselineEntry(options, figures, proved, records, newParts, weights);
  }

  /**
   * {@return this entry with the weights of a model, which explain the growth of a figure}
   *
   * @param newWeights the bytes of the weights, by name
   */
  public BaselineEntry withWeights(SortedMap<String, Long> newWeights) {
    return new BaselineEntry(options, figures, proved, records, parts, newWeights);
  }

  /**
   * {@return the value of an option that changes the figures, if the entry has it}
   *
   * @param name the option
   */
  public Optional<String> option(String name) {
    return Optional.ofNullable(options.get(name));
  }

  /** {@return the options that change the figures, and their values} */
  SortedMap<String, String> options() {
    return options;
  }

  /** {@return the figures by their names} */
  SortedMap<String, Long> figures() {
    return figures;
  }

  /** {@return the names of the figures that are proved to be the smallest possible} */
  SortedSet<String> proved() {
    return proved;
  }

  /** {@return the records, by their first tasks and then their names} */
  List<BaselineRecord> records() {
    return records;
  }

  /** {@return the bytes of the parts of the figures, by name} */
  SortedMap<String, Long> parts() {
    return parts;
  }

  /** {@return the bytes of the weights, by name} */
  SortedMap<String, Long> weights() {
    return weights;
  }
}
