package dev.stowage.cli.gate;

import com.fasterxml.jackson.annotation.JsonCreator;
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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A reader of baseline files. */
public final class BaselineReader {

  /** The first key of a file. */
  static final String VERSION_KEY = "baseline_version";

  /** The version of the format. */
  static final long VERSION = 1;

  private static final String EXPECTED =
      "a baseline of stowage, an object whose first key is '" + VERSION_KEY + "'";

  /** A number in a file. */
  record Size(long value) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    Size {
      if (value < 0) {
        throw new IllegalArgumentException(Text.of("is %d, expected 0 or more", value));
      }
    }
  }

  /** A record in a file, whose first task counts from that of the record before. */
  record RecordText(
      Optional<String> name,
      Optional<Size> size,
      Optional<Size> startsAfter,
      Optional<Size> furtherTasks) {

    BaselineRecord after(long task) {
      try {
        long firstTask = Math.addExact(task, number(startsAfter));
        long lastTask = Math.addExact(firstTask, number(furtherTasks));
        return new BaselineRecord(name.orElse(""), number(size), firstTask, lastTask);
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            "the last task of a record is above 2^63 - 1, expected a lower one", e);
      }
    }

    private static long number(Optional<Size> size) {
      return size.map(Size::value).orElse(0L);
    }
  }

  /** An entry in a file. */
  record EntryText(
      Optional<Map<String, Size>> figures,
      Optional<Map<String, String>> options,
      Optional<Map<String, Size>> parts,
      Optional<Set<String>> proved,
      Optional<List<RecordText>> records,
      Optional<Map<String, Size>> weights) {

    BaselineEntry entry() {
      List<BaselineRecord> all = new ArrayList<>();
      for (RecordText record : records.orElse(List.of())) {
        all.add(record.after(all.isEmpty() ? 0 : all.getLast().firstTask()));
      }
      return new BaselineEntry(
          new TreeMap<>(options.orElse(Map.of())),
          sizes(figures),
          new TreeSet<>(proved.orElse(Set.of())),
          all,
          sizes(parts),
          sizes(weights));
    }

    private static SortedMap<String, Long> sizes(Optional<Map<String, Size>> sizes) {
      SortedMap<String, Long> values = new TreeMap<>();
      sizes.orElse(Map.of()).forEach((name, size) -> values.put(name, size.value));
      return values;
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
    try (Reader reader = TextInput.open(Path.of(path))) {
      return JsonText.read(path, reader, true, Map.of(), text -> read(path, text));
    } catch (MalformedInputException e) {
      throw new MalformedFileException(path, "is not UTF-8 text, expected " + EXPECTED);
    }
  }

  private static Baseline read(String path, JsonText text) throws MalformedFileException {
    SortedMap<String, SortedMap<String, BaselineEntry>> commands = new TreeMap<>();
    boolean[] isFirst = {true};
    text.readObject(
        EXPECTED,
        key -> {
          if (isFirst[0]) {
            isFirst[0] = false;
            checkVersion(key, text);
          } else {
            SortedMap<String, BaselineEntry> entries = new TreeMap<>();
            text.readMap(
                MalformedFileException.excerpt(key),
                EntryText.class,
                (input, entry) -> entries.put(input, entry.entry()));
            commands.put(key, entries);
          }
        });
    if (isFirst[0]) {
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
    long version = text.value(key, Long.class);
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
