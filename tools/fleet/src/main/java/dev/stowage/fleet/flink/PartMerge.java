package dev.stowage.fleet.flink;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.flink.core.fs.Path;

/**
 * Merges sorted parts to one file, which is sorted by key.
 *
 * <p>A pass merges up to {@link #MOST_READERS} files. More parts need more passes: n parts cost
 * O(log n) passes over the results.
 */
final class PartMerge {

  static final int MOST_READERS = 256;

  private final Path scratch;
  private int scratchCount;

  /**
   * Creates a merge.
   *
   * @param scratch the folder of intermediate files
   */
  PartMerge(Path scratch) {
    this.scratch = scratch;
  }

  /** Merges parts to a file. {@return the number of lines} */
  long merge(List<Path> parts, Path output) throws IOException {
    List<Path> files = parts;
    while (files.size() > MOST_READERS) {
      List<Path> merged = new ArrayList<>();
      for (int i = 0; i < files.size(); i += MOST_READERS) {
        Path file = new Path(scratch, "merged-" + scratchCount++);
        mergeOnce(files.subList(i, Math.min(files.size(), i + MOST_READERS)), file);
        merged.add(file);
      }
      files = merged;
    }
    return mergeOnce(files, output);
  }

  private static long mergeOnce(List<Path> files, Path output) throws IOException {
    long[] lineCount = new long[1];
    List<SortedLines> readers = new ArrayList<>();
    try {
      PriorityQueue<SortedLines> queue =
          new PriorityQueue<>(Comparator.comparing((SortedLines each) -> each.key));
      for (Path file : files) {
        SortedLines lines = new SortedLines(file);
        readers.add(lines);
        if (lines.next()) {
          queue.add(lines);
        }
      }
      AtomicFile.write(
          output,
          out -> {
            BufferedWriter writer =
                new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
            while (!queue.isEmpty()) {
              SortedLines first = queue.remove();
              writer.write(first.line);
              writer.write('\n');
              lineCount[0]++;
              if (first.next()) {
                queue.add(first);
              }
            }
            writer.flush();
          });
    } finally {
      for (SortedLines reader : readers) {
        reader.close();
      }
    }
    return lineCount[0];
  }

  /** The lines of a part, and the key of the current one. */
  private static final class SortedLines {

    private final BufferedReader in;
    private String line = "";
    private String key = "";

    SortedLines(Path file) throws IOException {
      in =
          new BufferedReader(
              new InputStreamReader(file.getFileSystem().open(file), StandardCharsets.UTF_8));
    }

    boolean next() throws IOException {
      String next = in.readLine();
      if (next == null) {
        return false;
      }
      line = next;
      key = JsonFields.text(next, "key");
      return true;
    }

    void close() throws IOException {
      in.close();
    }
  }
}
