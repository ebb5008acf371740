package dev.stowage.cli;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The options that change the figures of a command, as a baseline has them. */
final class RecordedOptions {

  private final SortedMap<String, String> options = new TreeMap<>();

  /** {@return the options that are given, by their names} */
  SortedMap<String, String> options() {
    return options;
  }

  /** Adds an option that has no value, if it is given. */
  void add(String name, boolean isGiven) {
    if (isGiven) {
      options.put(name, "given");
    }
  }

  /** Adds an option with a number. */
  void add(String name, long value) {
    options.put(name, String.format(Locale.ROOT, "%d", value));
  }

  /** Adds an option, unless the value is empty. */
  void add(String name, String value) {
    if (!value.isEmpty()) {
      options.put(name, value);
    }
  }

  /** Adds an option that can be repeated, with its values in their order. */
  void addAll(String name, List<?> values) {
    add(name, values.stream().map(String::valueOf).collect(Collectors.joining(" ")));
  }
}
