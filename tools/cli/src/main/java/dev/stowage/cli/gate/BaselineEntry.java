package dev.stowage.cli.gate;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of one input, the options that they depend on, and the records of the input.
 *
 * <p>Parts explain the growth of a figure; their own growth is no regression. The name of a figure
 * that holds for one shape starts with the shape and a space.
 *
 * @param options the options that change the figures, such as {@code --alignment}, and their values
 * @param figures the figures by their names; growth is a regression. Those in bytes end with {@code
 *     _bytes}
 * @param records the records, by their first tasks and then their names
 * @param parts the bytes of the parts of the figures, by names that end with {@code _bytes}
 */
public record BaselineEntry(
    SortedMap<String, String> options,
    SortedMap<String, Long> figures,
    List<BaselineRecord> records,
    SortedMap<String, Long> parts) {

  private static final Comparator<BaselineRecord> ORDER =
      Comparator.comparingLong(BaselineRecord::firstTask)
          .thenComparing(BaselineRecord::name)
          .thenComparingLong(BaselineRecord::lastTask)
          .thenComparingLong(BaselineRecord::size);

  /** Creates an entry with records in any order. */
  public BaselineEntry {
    options = new TreeMap<>(options);
    figures = new TreeMap<>(figures);
    records = records.stream().sorted(ORDER).toList();
    parts = new TreeMap<>(parts);
  }

  /** {@return the value of an option that changes the figures, if the entry has it} */
  public Optional<String> option(String name) {
    return Optional.ofNullable(options.get(name));
  }
}
