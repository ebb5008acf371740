package dev.stowage.fleet.flink;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

/** The file of items: a line of JSON for each item, the most expensive item first. */
final class ItemLines {

  private final Path file;

  ItemLines(Path file) {
    this.file = file;
  }

  /**
   * {@return the batches of all lines}
   *
   * @throws IOException if the file cannot be read
   */
  BatchPlan plan(int slotCount) throws IOException {
    long[] costs = new long[1024];
    long[] ends = new long[1024];
    int count = 0;
    long offset = 0;
    try (InputStream in = new BufferedInputStream(file.getFileSystem().open(file), 1 << 16)) {
      LineBytes lines = new LineBytes(in);
      while (lines.next()) {
        if (count == costs.length) {
          costs = Arrays.copyOf(costs, 2 * count);
          ends = Arrays.copyOf(ends, 2 * count);
        }
        offset += lines.length() + 1;
        costs[count] = JsonFields.integer(lines.text(), "cost");
        ends[count] = offset;
        count++;
      }
    }
    return BatchPlan.of(Arrays.copyOf(costs, count), Arrays.copyOf(ends, count), slotCount);
  }

  /**
   * {@return the lines of a batch}
   *
   * @throws IOException if the file cannot be read
   */
  List<String> read(Batch batch) throws IOException {
    int bytes = Math.toIntExact(batch.endByte() - batch.firstByte());
    try (FSDataInputStream in = file.getFileSystem().open(file)) {
      in.seek(batch.firstByte());
      byte[] text = in.readNBytes(bytes);
      if (text.length < bytes) {
        throw new EOFException(
            file + " ends at byte " + (batch.firstByte() + text.length) + ", expected " + batch);
      }
      return new String(text, StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** The lines of a stream, which end with a line feed. */
  private static final class LineBytes {

    private final InputStream in;
    private byte[] line = new byte[1024];
    private int length;

    LineBytes(InputStream in) {
      this.in = in;
    }

    boolean next() throws IOException {
      length = 0;
      int value = in.read();
      if (value < 0) {
        return false;
      }
      while (value >= 0 && value != '\n') {
        if (length == line.length) {
          line = Arrays.copyOf(line, 2 * length);
        }
        line[length++] = (byte) value;
        value = in.read();
      }
      return true;
    }

    int length() {
      return length;
    }

    String text() {
      return new String(line, 0, length, StandardCharsets.UTF_8);
    }
  }
}
