package dev.stowage.cli.gate;

import java.util.Comparator;
import java.util.List;
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

  /**
   * Creates an entry.
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
    this.options = new TreeMap<>(options);
    this.figures = new TreeMap<>(figures);
    this.proved = new TreeSet<>(proved);
    this.records = records.stream().sorted(ORDER).toList();
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
}
