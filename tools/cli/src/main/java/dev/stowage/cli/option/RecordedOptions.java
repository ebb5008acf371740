package dev.stowage.cli.option;

import dev.stowage.cli.gate.BaselineKeys;
import dev.stowage.pages.text.RunFacts.Fact;
import dev.stowage.pages.text.Text;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The options that change the figures of a command, for a baseline and for pages. */
public final class RecordedOptions {

  private final SortedMap<String, String> options = new TreeMap<>();
  private final UnaryOperator<String> paths;

  private RecordedOptions(UnaryOperator<String> paths) {
    this.paths = paths;
  }

  /** {@return an empty list for a page, with paths as on the command line} */
  public static RecordedOptions forPage() {
    return new RecordedOptions(UnaryOperator.identity());
  }

  /**
   * {@return an empty list for a baseline, with paths relative to its folder}
   *
   * @param baseline the baseline file
   */
  public static RecordedOptions forBaseline(String baseline) {
    return new RecordedOptions(new BaselineKeys(baseline)::of);
  }

  /** {@return the options that are given, by their names} */
  public SortedMap<String, String> options() {
    return options;
  }

  /** {@return the options that are given, as facts of a page} */
  public List<Fact> facts() {
    return options.entrySet().stream()
        .map(option -> new Fact(option.getKey(), option.getValue()))
        .toList();
  }

  /** Adds an option with the path of a file. */
  void addPath(String name, String path) {
    options.put(name, paths.apply(path));
  }

  /** Adds an option that has no value, if it is given. */
  public void add(String name, boolean isGiven) {
    if (isGiven) {
      options.put(name, "given");
    }
  }

  /** Adds an option with a number. */
  public void add(String name, long value) {
    options.put(name, Text.of("%d", value));
  }

  /** Adds an option, unless the value is empty. */
  public void add(String name, String value) {
    if (!value.isEmpty()) {
      options.put(name, value);
    }
  }

  /** Adds an option that can be repeated, with its values in their order. */
  public void addAll(String name, List<?> values) {
    add(name, values.stream().map(String::valueOf).collect(Collectors.joining(" ")));
  }
}
