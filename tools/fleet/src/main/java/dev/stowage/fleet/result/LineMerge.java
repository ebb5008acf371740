package dev.stowage.fleet.result;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Merges files of results, each of which is sorted by key. Of equal keys, the first line stays. */
public final class LineMerge {

  private static final JsonFactory JSON = new JsonFactory();

  private LineMerge() {}

  /**
   * Adds lines to a sorted file.
   *
   * @param file the file, which need not exist
   * @param lines the lines, sorted by key
   * @throws IOException if the file cannot be read or written
   */
  public static void add(Path file, List<String> lines) throws IOException {
    if (lines.isEmpty() && Files.exists(file)) {
      return;
    }
    Path added = Files.write(file.resolveSibling("added.jsonl"), lines);
    Path merged = file.resolveSibling("merged.jsonl");
    merge(Files.exists(file) ? List.of(file, added) : List.of(added), merged);
    Files.move(merged, file, StandardCopyOption.REPLACE_EXISTING);
    Files.delete(added);
  }

  /**
   * Merges files and {@return the number of lines}
   *
   * @param files the sorted files
   * @param output the merged file
   * @throws IOException if a file cannot be read or written, or is not sorted
   */
  public static long merge(List<Path> files, Path output) throws IOException {
    List<Lines> readers = new ArrayList<>();
    PriorityQueue<Lines> queue =
        new PriorityQueue<>(
            Comparator.comparing((Lines lines) -> lines.key)
                .thenComparingInt(lines -> lines.index));
    try (BufferedWriter out = Files.newBufferedWriter(output)) {
      for (Path file : files) {
        Lines lines = new Lines(file, readers.size());
        readers.add(lines);
        if (lines.next()) {
          queue.add(lines);
        }
      }
      long count = 0;
      String last = "";
      while (!queue.isEmpty()) {
        Lines first = queue.remove();
        if (count == 0 || !first.key.equals(last)) {
          out.write(first.line);
          out.write('\n');
          count++;
        }
        last = first.key;
        if (first.next()) {
          queue.add(first);
        }
      }
      return count;
    } finally {
      for (Lines reader : readers) {
        reader.in.close();
      }
    }
  }

  /** The lines of a file, and the key of the current one. */
  private static final class Lines {

    private final Path file;
    private final int index;
    private final BufferedReader in;
    private String line = "";
    private String key = "";

    Lines(Path file, int index) throws IOException {
      this.file = file;
      this.index = index;
      in = Files.newBufferedReader(file);
    }

    boolean next() throws IOException {
      String next = in.readLine();
      if (next == null) {
        return false;
      }
      String nextKey = keyOf(next);
      if (nextKey.compareTo(key) < 0) {
        throw new IOException(
            file + " is not sorted by key: '" + nextKey + "' is behind '" + key + "'");
      }
      line = next;
      key = nextKey;
      return true;
    }

    private String keyOf(String text) throws IOException {
      try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
        boolean hasKey =
            json.nextToken() == JsonToken.START_OBJECT
                && json.nextToken() == JsonToken.PROPERTY_NAME
                && json.currentName().equals("key")
                && json.nextToken() == JsonToken.VALUE_STRING;
        if (hasKey) {
          return json.getString();
        }
      } catch (JacksonException e) {
        throw new IOException(
            file + " has a line that is not valid JSON: " + e.getOriginalMessage(), e);
      }
      throw new IOException(file + " has a line without a key");
    }
  }
}
