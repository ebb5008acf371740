package dev.stowage.cli.gate;

import dev.stowage.cli.input.JsonText;
import dev.stowage.cli.input.TextInput;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.MalformedInputException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.type.TypeReference;

/** A reader of baseline files. */
public final class BaselineReader {

  /** The first key of a file. */
  static final String VERSION_KEY = "baseline_version";

  /** The version of the format. */
  static final long VERSION = 1;

  private static final String EXPECTED =
      "a baseline of stowage, an object whose first key is '" + VERSION_KEY + "'";

  /** A record in a file. Its first task counts from the first task of the record before. */
  record RecordText(Optional<String> name, long size, long startsAfter, long furtherTasks) {

    BaselineRecord after(long task) {
      try {
        long firstTask = Math.addExact(task, startsAfter);
        long lastTask = Math.addExact(firstTask, furtherTasks);
        return new BaselineRecord(name.orElse(""), size, firstTask, lastTask);
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            "the last task of a record is above 2^63 - 1, expected a lower one", e);
      }
    }
  }

  /** An entry in a file. */
  record EntryText(
      Optional<Map<String, Long>> figures,
      Optional<Map<String, String>> options,
      Optional<Map<String, Long>> parts,
      Optional<List<RecordText>> records) {

    BaselineEntry entry() {
      List<BaselineRecord> all = new ArrayList<>();
      for (RecordText record : records.orElse(List.of())) {
        all.add(record.after(all.isEmpty() ? 0 : all.getLast().firstTask()));
      }
      return new BaselineEntry(
          new TreeMap<>(options.orElse(Map.of())),
          new TreeMap<>(figures.orElse(Map.of())),
          all,
          new TreeMap<>(parts.orElse(Map.of())));
    }
  }

  private final JsonText text;
  private final SortedMap<String, SortedMap<String, BaselineEntry>> commands = new TreeMap<>();
  private boolean hasVersion;

  private BaselineReader(JsonText text) {
    this.text = text;
  }

  /**
   * {@return the entries of a file; empty if the file does not exist}
   *
   * @throws MalformedFileException if the file is not a baseline, or one of a newer version
   */
  public static Optional<Baseline> readIfExists(String path) throws IOException {
    try {
      return Optional.of(read(path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * {@return the entries of a file}
   *
   * @throws MalformedFileException if the file is not a baseline, or one of a newer version
   */
  public static Baseline read(String path) throws IOException {
    try (Reader reader = TextInput.open(Path.of(path))) {
      return JsonText.read(path, reader, Map.of(), text -> new BaselineReader(text).baseline(path));
    } catch (MalformedInputException e) {
      throw new MalformedFileException(path, "is not UTF-8 text, expected " + EXPECTED);
    }
  }

  private Baseline baseline(String path) throws MalformedFileException {
    text.readObject(EXPECTED, this::readProperty);
    if (!hasVersion) {
      throw new MalformedFileException(path, "has no keys, expected " + EXPECTED);
    }
    return new Baseline(commands);
  }

  private void readProperty(String key) throws MalformedFileException {
    if (!hasVersion) {
      checkVersion(key);
      hasVersion = true;
      return;
    }
    SortedMap<String, BaselineEntry> entries = new TreeMap<>();
    Map<String, EntryText> texts = text.value(key, new TypeReference<>() {});
    for (var input : texts.entrySet()) {
      try {
        entries.put(input.getKey(), input.getValue().entry());
      } catch (IllegalArgumentException e) {
        throw text.malformed(
            Text.of("'%s': %s", MalformedFileException.excerpt(input.getKey()), e.getMessage()));
      }
    }
    commands.put(key, entries);
  }

  private void checkVersion(String key) throws MalformedFileException {
    if (!key.equals(VERSION_KEY)) {
      throw text.malformed(
          Text.of(
              "the first key is '%s', expected %s", MalformedFileException.excerpt(key), EXPECTED));
    }
    long version = text.value(key, new TypeReference<Long>() {});
    if (version != VERSION) {
      throw text.malformed(
          Text.of(
              "the version of the baseline is %d, expected %d; %s",
              version,
              VERSION,
              version > VERSION
                  ? "a newer stowage wrote the file, use that one"
                  : "delete the file, and write it with --update-baseline"));
    }
  }
}
