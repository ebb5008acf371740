package dev.stowage.cli.gate;

import dev.stowage.cli.input.JsonValues;
import dev.stowage.cli.input.TextInput;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** A reader of baseline files. */
public final class BaselineReader {

  /** The first key of a file. */
  static final String VERSION_KEY = "baseline_version";

  /** The version of the format. */
  static final long VERSION = 1;

  private static final int HEAD_BYTES = 1024;

  private static final Pattern START =
      Pattern.compile("\\uFEFF?\\s*\\{\\s*\"" + VERSION_KEY + "\"");

  private static final String EXPECTED =
      "a baseline of stowage, an object whose first key is '" + VERSION_KEY + "'";

  private final JsonValues values;

  private BaselineReader(JsonValues values) {
    this.values = values;
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

  /** {@return true if a file starts like a baseline of any version} */
  public static boolean isBaseline(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
      return START.matcher(head).lookingAt();
    }
  }

  /**
   * {@return the entries of a file}
   *
   * @throws MalformedFileException if the file is not a baseline, or one of a newer version
   */
  public static Baseline read(String path) throws IOException {
    try (Reader reader = TextInput.open(Path.of(path))) {
      return JsonValues.read(path, reader, values -> new BaselineReader(values).commands(path));
    } catch (MalformedInputException e) {
      throw new MalformedFileException(path, "is not UTF-8 text, expected " + EXPECTED);
    }
  }

  private Baseline commands(String path) throws MalformedFileException {
    if (!values.next()) {
      throw new MalformedFileException(path, "is empty, expected " + EXPECTED);
    }
    SortedMap<String, SortedMap<String, BaselineEntry>> commands = new TreeMap<>();
    boolean[] isFirst = {true};
    values.readObject(
        EXPECTED,
        key -> {
          if (isFirst[0]) {
            checkVersion(key);
            isFirst[0] = false;
          } else {
            commands.put(key, entries());
          }
        });
    if (isFirst[0]) {
      throw new MalformedFileException(path, "has no keys, expected " + EXPECTED);
    }
    if (values.next()) {
      throw values.malformed("expected the end of the file");
    }
    return new Baseline(commands);
  }

  private void checkVersion(String key) throws MalformedFileException {
    if (!key.equals(VERSION_KEY)) {
      throw values.malformed(
          Text.of(
              "the first key is '%s', expected %s", MalformedFileException.excerpt(key), EXPECTED));
    }
    long version = values.number(key);
    if (version != VERSION) {
      throw values.malformed(
          Text.of(
              "the version of the baseline is %d, expected %d; %s",
              version,
              VERSION,
              version > VERSION
                  ? "a newer stowage wrote the file, use that one"
                  : "delete the file, and write it with --update-baseline"));
    }
  }

  private SortedMap<String, BaselineEntry> entries() throws MalformedFileException {
    SortedMap<String, BaselineEntry> entries = new TreeMap<>();
    values.readObject("the inputs of a command, an object", key -> entries.put(key, entry()));
    return entries;
  }

  private BaselineEntry entry() throws MalformedFileException {
    SortedMap<String, String> options = new TreeMap<>();
    SortedMap<String, Long> figures = new TreeMap<>();
    SortedMap<String, Long> parts = new TreeMap<>();
    SortedMap<String, Long> weights = new TreeMap<>();
    SortedSet<String> proved = new TreeSet<>();
    List<BaselineRecord> records = new ArrayList<>();
    values.readObject(
        "an entry, an object with figures, options, proved and records",
        key -> {
          switch (key) {
            case "figures" -> addSizes(key, figures);
            case "parts" -> addSizes(key, parts);
            case "weights" -> addSizes(key, weights);
            case "options" ->
                values.readObject("options, an object", name -> options.put(name, text(name)));
            case "proved" -> values.readList("a list of figures", () -> proved.add(text(key)));
            case "records" -> values.readList("a list of records", () -> add(records));
            default -> throw unknown(key, "figures, options, parts, proved, records or weights");
          }
        });
    return new BaselineEntry(options, figures, proved, records, parts, weights);
  }

  private void addSizes(String key, SortedMap<String, Long> sizes) throws MalformedFileException {
    values.readObject(key + ", an object", name -> sizes.put(name, notNegative(name)));
  }

  /** Reads a record, whose first task counts from that of the record before. */
  private void add(List<BaselineRecord> records) throws MalformedFileException {
    String[] name = {""};
    long[] numbers = new long[3];
    values.readObject(
        "a record, an object with name, size, starts_after and further_tasks",
        key -> {
          switch (key) {
            case "name" -> name[0] = text(key);
            case "size" -> numbers[0] = notNegative(key);
            case "starts_after" -> numbers[1] = notNegative(key);
            case "further_tasks" -> numbers[2] = notNegative(key);
            default -> throw unknown(key, "name, size, starts_after or further_tasks");
          }
        });
    long before = records.isEmpty() ? 0 : records.getLast().firstTask();
    try {
      long firstTask = Math.addExact(before, numbers[1]);
      long lastTask = Math.addExact(firstTask, numbers[2]);
      records.add(new BaselineRecord(name[0], numbers[0], firstTask, lastTask));
    } catch (ArithmeticException e) {
      throw values.malformed("the last task of the record is above 2^63 - 1, expected a lower one");
    }
  }

  private String text(String key) throws MalformedFileException {
    if (!values.isText()) {
      throw values.malformed(
          Text.of("%s is not a text, expected one", MalformedFileException.excerpt(key)));
    }
    return values.text(key);
  }

  private long notNegative(String key) throws MalformedFileException {
    long number = values.number(MalformedFileException.excerpt(key));
    if (number < 0) {
      throw values.malformed(
          Text.of("%s is %d, expected 0 or more", MalformedFileException.excerpt(key), number));
    }
    return number;
  }

  private MalformedFileException unknown(String key, String expected) {
    return values.malformed(
        Text.of("unknown key '%s', expected %s", MalformedFileException.excerpt(key), expected));
  }
}
