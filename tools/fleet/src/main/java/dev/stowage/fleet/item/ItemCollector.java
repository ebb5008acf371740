package dev.stowage.fleet.item;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The work items of the inputs of a sweep: files, folders, patterns of paths, lists and manifests.
 *
 * <p>The items do not depend on the order of the inputs, and an item that several inputs contain is
 * there once.
 */
public final class ItemCollector {

  /** The names that a list reads from the standard input. */
  private static final String STANDARD_INPUT = "-";

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final Pattern ZERO = Pattern.compile("\0");
  private static final Pattern LINE_END = Pattern.compile("\r?\n");

  private final ItemCommand command;
  private final List<String> options;
  private final InputFiles files;
  private final InputStream standardInput;
  private final NavigableMap<String, WorkItem> items = new TreeMap<>();
  private final NavigableMap<String, FailedInput> failures = new TreeMap<>();
  private final List<String> skipped = new ArrayList<>();

  /**
   * Creates a collector without items.
   *
   * @param command the command that the items run
   * @param options the options of all items
   * @param files the files
   * @param standardInput the content of the list {@code @-}
   */
  public ItemCollector(
      ItemCommand command, List<String> options, InputFiles files, InputStream standardInput) {
    this.command = command;
    this.options = List.copyOf(options);
    this.files = files;
    this.standardInput = standardInput;
  }

  /** {@return the tables and documents of folders that the command does not read, sorted} */
  public List<String> skipped() {
    return skipped.stream().sorted().distinct().toList();
  }

  /** {@return the items so far} */
  public ItemList toList() {
    return new ItemList(
        items.values().stream()
            .sorted(
                Comparator.comparingLong(WorkItem::cost).reversed().thenComparing(WorkItem::key))
            .toList(),
        List.copyOf(failures.values()));
  }

  /**
   * Adds the items of an input.
   *
   * @param input a file, a folder, a pattern, {@code @} and a list, or a manifest
   */
  public void add(String input) {
    try {
      if (input.startsWith("@") && !files.exists(input)) {
        addList(input.substring(1));
      } else {
        addPath(input, "");
      }
    } catch (ItemException e) {
      fail(input, input, String.valueOf(e.getMessage()));
    }
  }

  private void addPath(String text, String base) throws ItemException {
    String path = PathText.plain(resolve(text, base));
    if (path.isEmpty()) {
      throw new ItemException("the name of an INPUT is empty, expected a path");
    }
    if (path.equals(STANDARD_INPUT)) {
      throw new ItemException("-: a sweep reads files, expected a path; @- reads a list of paths");
    }
    if (files.isFolder(path)) {
      addFolder(path);
    } else if (!files.exists(path) && PathPattern.isPattern(path)) {
      addPattern(path);
    } else if (isManifest(path)) {
      addManifest(path);
    } else {
      addItem(path, List.of());
    }
  }

  private static boolean isManifest(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    return name.endsWith(".jsonl") || name.endsWith(".ndjson");
  }

  /** {@return the path of a line: beside the list if there is such a file, else as it is} */
  private String resolve(String path, String base) {
    String beside = PathText.resolve(base, path);
    return PathText.isAbsolute(path) || !existsOrMatches(beside) ? path : beside;
  }

  private boolean existsOrMatches(String path) {
    return files.exists(path) || PathPattern.isPattern(path);
  }

  private void addPattern(String pattern) throws ItemException {
    List<String> matches = List.copyOf(PathPattern.matches(pattern, files));
    if (matches.isEmpty()) {
      throw new ItemException(pattern + ": no file matches the pattern");
    }
    for (String path : matches) {
      try {
        addPath(path, "");
      } catch (ItemException e) {
        fail(path, path, String.valueOf(e.getMessage()));
      }
    }
  }

  private void addFolder(String folder) throws ItemException {
    List<String> found = new ArrayList<>();
    walk(folder, found);
    boolean hasInput = false;
    for (String path : found) {
      try {
        if (InputKind.isRead(path, command, files)) {
          addItem(path, List.of());
          hasInput = true;
        } else if (InputKind.isCandidate(path, command)) {
          skipped.add(path);
        }
      } catch (IOException e) {
        addItem(path, List.of()); // the command reports the error
      }
    }
    if (!hasInput) {
      throw new ItemException(
          String.format(
              Locale.ROOT,
              "%s: has no inputs of %s, expected %s",
              folder,
              command.argument(),
              command.readsTraces() ? "traces" : "models"));
    }
  }

  private void walk(String folder, List<String> found) throws ItemException {
    List<InputFiles.Entry> entries;
    try {
      entries = files.list(folder);
    } catch (IOException e) {
      throw new ItemException(folder + ": cannot be read: " + reason(e));
    }
    for (InputFiles.Entry entry : entries) {
      if (entry.name().startsWith(".")) {
        continue;
      }
      String path = PathText.resolve(folder, entry.name());
      if (!entry.isFolder()) {
        found.add(path);
        continue;
      }
      try {
        walk(path, found);
      } catch (ItemException e) {
        fail(path, path, String.valueOf(e.getMessage()));
      }
    }
  }

  private void addList(String list) throws ItemException {
    boolean isStandardInput = list.equals(STANDARD_INPUT);
    String text;
    try (InputStream in = isStandardInput ? standardInput : files.open(list)) {
      text = new String(skipByteOrderMark(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ItemException(list + ": cannot be read: " + reason(e));
    }
    // The paths of find -print0 may have line ends.
    Pattern end = text.indexOf('\0') >= 0 ? ZERO : LINE_END;
    String base = isStandardInput ? "" : PathText.folder(list);
    for (String line : end.split(text, -1)) {
      if (line.isEmpty()) {
        continue;
      }
      try {
        addPath(line, base);
      } catch (ItemException e) {
        fail(line, line, String.valueOf(e.getMessage()));
      }
    }
  }

  /** {@return bytes behind a byte order mark, which some editors write} */
  private static InputStream skipByteOrderMark(InputStream in) throws IOException {
    InputStream bytes = new BufferedInputStream(in);
    bytes.mark(BYTE_ORDER_MARK.length);
    if (!Arrays.equals(bytes.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
      bytes.reset();
    }
    return bytes;
  }

  private void addManifest(String manifest) throws ItemException {
    String base = PathText.folder(manifest);
    try (InputStream in = files.open(manifest);
        Reader text = new InputStreamReader(skipByteOrderMark(in), StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(text)) {
      int number = 1;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          addLine(line, manifest + ":" + number, base);
        }
        number++;
      }
    } catch (IOException e) {
      throw new ItemException(manifest + ": cannot be read: " + reason(e));
    }
  }

  private void addLine(String text, String place, String base) {
    try {
      ManifestLine line = ManifestLine.parse(text);
      String path = PathText.plain(resolve(line.file(), base));
      for (List<String> ofItem : line.combinations()) {
        addItem(path, ofItem);
      }
    } catch (ItemException e) {
      fail(place, place, place + ": " + e.getMessage());
    }
  }

  private void addItem(String path, List<String> ownOptions) {
    String key = ownOptions.isEmpty() ? path : path + " " + ShellText.of(ownOptions);
    if (items.containsKey(key)) {
      return;
    }
    List<String> all = new ArrayList<>(options);
    all.addAll(ownOptions);
    List<String> arguments = new ArrayList<>();
    arguments.add(command.argument());
    arguments.addAll(command.repeatable(all));
    long cost = CostEstimate.millis(command, path, files.bytes(path), all);
    items.put(key, new WorkItem(key, path, arguments, cost));
  }

  private void fail(String key, String input, String error) {
    failures.put(key, new FailedInput(key, input, error));
  }

  /** {@return the reason of the operating system; some exceptions have only the file as message} */
  static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file or folder";
    }
    if (e instanceof AccessDeniedException) {
      return "access is denied";
    }
    if (e instanceof FileSystemException other && other.getReason() != null) {
      return other.getReason();
    }
    return String.valueOf(e.getMessage());
  }
}
