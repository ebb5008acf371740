package dev.stowage.cli.gate;

import dev.stowage.cli.input.JsonText;
import dev.stowage.cli.input.TextInput;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.MalformedInputException;
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
import tools.jackson.core.type.TypeReference;
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
      "a baseline of stowage, an object whose first key is '" + VERSION_KEY + "'";

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

  /**
   * {@return the entries of a file; empty if the file does not exist}
   *
   * @throws MalformedFileException if the file is not a baseline, or one of a newer version
   */
  public static Optional<Baseline> readIfExists(String path) throws IOException {
    try (Reader reader = TextInput.open(Path.of(path))) {
      return Optional.of(JsonText.read(path, reader, Map.of(), text -> read(path, text)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (MalformedInputException e) {
      throw new MalformedFileException(path, "is not UTF-8 text, expected " + EXPECTED);
    }
  }

  private static Baseline read(String path, JsonText text) throws MalformedFileException {
    SortedMap<String, SortedMap<String, BaselineEntry>> commands = new TreeMap<>();
    text.readObject(
        EXPECTED,
        key -> {
          if (!commands.containsKey(VERSION_KEY)) {
            checkVersion(key, text);
            commands.put(VERSION_KEY, Collections.emptySortedMap());
          } else {
            commands.put(key, text.value(key, new TypeReference<>() {}));
          }
        });
    if (commands.remove(VERSION_KEY) == null) {
      throw new MalformedFileException(path, "has no keys, expected " + EXPECTED);
    }
    return new Baseline(commands);
  }

  private static void checkVersion(String key, JsonText text) throws MalformedFileException {
    if (!key.equals(VERSION_KEY)) {
      throw text.malformed(
          Text.of(
              "the first key is '%s', expected %s", MalformedFileException.excerpt(key), EXPECTED));
    }
    long version = text.value(key, new TypeReference<Long>() {});
    if (version != VERSION) {
      throw text.malformed(
          Text.of(
              "the version of the baseline is %d, expected %d; use the stowage that wrote the file, or delete it and write it with --update-baseline",
              version, VERSION));
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
