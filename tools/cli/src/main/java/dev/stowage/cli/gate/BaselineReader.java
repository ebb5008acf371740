package dev.stowage.cli.gate;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.stowage.cli.input.MappedText;
import dev.stowage.cli.input.TextInput;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A reader of baseline files. */
public final class BaselineReader {

  /** The first key of a file. */
  static final String VERSION_KEY = "baseline_version";

  /** The version of the format. */
  static final long VERSION = 1;

  private static final String EXPECTED =
      "a baseline of stowage, an object with the key '" + VERSION_KEY + "'";

  /** The first key of a file. Other versions may have other keys below it. */
  record VersionText(@JsonProperty(required = true) long baselineVersion) {}

  /** A file: entries by their commands and the keys of their inputs. */
  record FileText(
      long baselineVersion, @JsonAnySetter Map<String, Map<String, EntryText>> commands) {}

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

  private BaselineReader() {}

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
    long version = read(path, VersionText.class).baselineVersion();
    if (version != VERSION) {
      throw new MalformedFileException(
          path,
          Text.of(
              "the version of the baseline is %d, expected %d; %s",
              version,
              VERSION,
              version > VERSION
                  ? "a newer stowage wrote the file, use that one"
                  : "delete the file, and write it with --update-baseline"));
    }
    SortedMap<String, SortedMap<String, BaselineEntry>> commands = new TreeMap<>();
    for (var command : read(path, FileText.class).commands().entrySet()) {
      SortedMap<String, BaselineEntry> entries = new TreeMap<>();
      for (var input : command.getValue().entrySet()) {
        try {
          entries.put(input.getKey(), input.getValue().entry());
        } catch (IllegalArgumentException e) {
          throw new MalformedFileException(
              path,
              command.getKey(),
              Text.of("'%s': %s", MalformedFileException.excerpt(input.getKey()), e.getMessage()));
        }
      }
      commands.put(command.getKey(), entries);
    }
    return new Baseline(commands);
  }

  private static <T> T read(String path, Class<T> type) throws IOException {
    try (Reader reader = TextInput.open(Path.of(path))) {
      return MappedText.ofJson(path, reader).object(EXPECTED, type);
    }
  }
}
