package dev.stowage.cli.option;

import dev.stowage.cli.gate.BaselineKeys;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The options that change the figures of a command. A baseline records them. */
final class RecordedOptions {

  /** The options with paths of files. In a baseline, paths are relative to its folder. */
  private static final Set<String> PATHS = Set.of("--scratch", "--profile-in", "--input", "--jvm");

  private RecordedOptions() {}

  /**
   * {@return the options that have a value, by their names}
   *
   * @param names the options that change the figures
   * @param keys the keys of files in the baseline
   */
  static SortedMap<String, String> of(CommandSpec command, List<String> names, BaselineKeys keys) {
    SortedMap<String, String> recorded = new TreeMap<>();
    names.forEach(name -> add(name, command.findOption(name).getValue(), keys, recorded));
    return recorded;
  }

  private static void add(
      String name, Object value, BaselineKeys keys, SortedMap<String, String> to) {
    switch (value) {
      case Boolean isGiven when !isGiven -> {}
      case Boolean _ -> to.put(name, "given");
      case Optional<?> one -> one.ifPresent(it -> add(name, it, keys, to));
      case Collection<?> several when several.isEmpty() -> {}
      case Collection<?> several -> to.put(name, joined(name, several));
      case Map<?, ?> entries -> entries.forEach((key, it) -> add(name + " " + key, it, keys, to));
      case String path when PATHS.contains(name.split(" ", 2)[0]) -> to.put(name, keys.of(path));
      default -> to.put(name, String.valueOf(value));
    }
  }

  /**
   * {@return the values in their order; dimensions are sorted, because their order has no meaning}
   */
  private static String joined(String name, Collection<?> values) {
    Stream<String> texts = values.stream().map(String::valueOf);
    return (name.equals("--dim") ? texts.sorted() : texts).collect(Collectors.joining(" "));
  }
}
