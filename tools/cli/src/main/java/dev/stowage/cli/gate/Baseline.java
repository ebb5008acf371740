package dev.stowage.cli.gate;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.stowage.cli.input.MappedText;
import dev.stowage.cli.input.TextInput;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** The entries of a baseline file, by their commands and the keys of their inputs. */
public record Baseline(SortedMap<String, SortedMap<String, BaselineEntry>> commands) {

  /** A baseline without entries. */
  public static final Baseline EMPTY = new Baseline(Collections.emptySortedMap());

  private static final String VERSION_KEY = "baseline_version";
  private static final long VERSION = 1;

  private static final String EXPECTED =
      "a baseline of stowage, an object with the key '" + VERSION_KEY + "'";

  /** Each figure and option has a line, so that differences are easy to review. */
  private static final ObjectWriter WRITER =
      new JsonMapper()
          .writer()
          .with(
              new DefaultPrettyPrinter(
                      Separators.createDefaultInstance()
                          .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                          .withObjectEmptySeparator(""))
                  .withObjectIndenter(new DefaultIndenter("  ", "\n")));

  /** The version of a file. Other versions may have other keys below it. */
  record VersionText(@JsonProperty(required = true) long baselineVersion) {}

  /** A file: entries by their commands and the keys of their inputs. */
  record FileText(
      long baselineVersion,
      @JsonAnySetter Map<String, SortedMap<String, BaselineEntry>> commands) {}

  /**
   * {@return the entries of a file; empty if the file does not exist}
   *
   * @throws MalformedFileException if the file is not a baseline, or one of another version
   */
  public static Optional<Baseline> readIfExists(String path) throws IOException {
    try {
      long version = read(path, VersionText.class).baselineVersion();
      if (version != VERSION) {
        throw new MalformedFileException(
            path,
            Text.of(
                "the version of the baseline is %d, expected %d; use the stowage that wrote the file, or delete it and write it with --update-baseline",
                version, VERSION));
      }
      return Optional.of(new Baseline(new TreeMap<>(read(path, FileText.class).commands())));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static <T> T read(String path, Class<T> type) throws IOException {
    try (Reader reader = TextInput.open(Path.of(path))) {
      return MappedText.ofJson(path, reader).object(EXPECTED, type);
    }
  }

  /** Writes the file. */
  public void write(Writer out) throws IOException {
    Map<String, Object> file = new LinkedHashMap<>(Map.of(VERSION_KEY, VERSION));
    file.putAll(commands);
    out.write(WRITER.writeValueAsString(file) + "\n");
  }

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
