package dev.stowage.cli.gate;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The entries of a baseline file, by their commands and the keys of their inputs. */
public record Baseline(SortedMap<String, SortedMap<String, BaselineEntry>> commands) {

  /** A baseline without entries. */
  public static final Baseline EMPTY = new Baseline(Collections.emptySortedMap());

  /**
   * {@return the entry of an input}
   *
   * @param command the command, such as {@code plan}
   */
  public Optional<BaselineEntry> find(String command, String key) {
    return Optional.ofNullable(entries(command).get(key));
  }

  /** {@return the keys of the inputs of a command} */
  public SortedSet<String> keys(String command) {
    return new TreeSet<>(entries(command).keySet());
  }

  /**
   * {@return this baseline with other entries of a command; all others stay}
   *
   * @param added the entries to add or replace, by their keys
   */
  public Baseline with(
      String command, Map<String, BaselineEntry> added, SortedSet<String> removed) {
    SortedMap<String, BaselineEntry> entries = new TreeMap<>(entries(command));
    entries.keySet().removeAll(removed);
    entries.putAll(added);
    SortedMap<String, SortedMap<String, BaselineEntry>> changed = new TreeMap<>(commands);
    changed.put(command, entries);
    return new Baseline(changed);
  }

  private SortedMap<String, BaselineEntry> entries(String command) {
    return commands.getOrDefault(command, Collections.emptySortedMap());
  }
}
