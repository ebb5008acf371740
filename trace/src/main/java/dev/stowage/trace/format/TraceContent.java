package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/** The content of a file with a trace, without the compression of the file. */
public final class TraceContent {

  private static final int MAX_HEAD_BYTES = 4096;
  private static final int MAX_LONG_HEAD_BYTES = 4 << 20;
  private static final int BUFFER_BYTES = 1 << 16;

  private static final String GZIP = "\u001f\u008b";
  private static final String ZIP = "PK\u0003\u0004";

  /** The folder in which macOS keeps the attributes of the other files of an archive. */
  private static final String ATTRIBUTES = "__MACOSX/";

  /** The compression of a file. */
  private enum Packing {
    NONE,
    GZIP,
    ZIP
  }

  private final String source;
  private final Path file;
  private final ChosenHistory chosen;
  private final Packing packing;
  private final InputStream bytes;
  private final String head;

  private TraceContent(
      String source, Path file, ChosenHistory chosen, Packing packing, InputStream bytes)
      throws IOException {
    this.source = source;
    this.file = file;
    this.chosen = chosen;
    this.packing = packing;
    this.bytes = bytes;
    head = head(bytes, MAX_HEAD_BYTES);
  }

  /**
   * Detects the compression of a file.
   *
   * @param in the bytes of the file
   * @param chosen the history that is read, if the trace has several
   * @throws MalformedFileException if the file is empty, or if nothing of it can be unpacked
   */
  static TraceContent of(String source, Path file, InputStream in, ChosenHistory chosen)
      throws IOException {
    InputStream start = new BufferedInputStream(in, BUFFER_BYTES);
    String magic = head(start, MAX_HEAD_BYTES);
    Packing packing =
        magic.startsWith(GZIP) ? Packing.GZIP : magic.startsWith(ZIP) ? Packing.ZIP : Packing.NONE;
    InputStream bytes = new BufferedInputStream(unpacked(source, packing, start), BUFFER_BYTES);
    TraceContent content = new TraceContent(source, file, chosen, packing, bytes);
    if (content.head.isEmpty()) {
      throw new MalformedFileException(source, content.emptyMessage());
    }
    return content;
  }

  private static InputStream unpacked(String source, Packing packing, InputStream in)
      throws IOException {
    try {
      return switch (packing) {
        case NONE -> in;
        case GZIP -> new GZIPInputStream(in, BUFFER_BYTES);
        case ZIP -> new OnlyEntry(source, new ZipInputStream(in));
      };
    } catch (EOFException | ZipException e) {
      throw new MalformedFileException(
          source,
          "is cut short or damaged, expected a "
              + (packing == Packing.GZIP ? "gzip" : "zip")
              + " file");
    }
  }

  /** {@return the first bytes of a stream, up to the first that cannot be unpacked} */
  private static String head(InputStream in, int most) throws IOException {
    byte[] bytes = new byte[most];
    int count = 0;
    in.mark(most);
    try {
      for (int b = in.read(); b >= 0; b = count < most ? in.read() : -1) {
        bytes[count++] = (byte) b;
      }
    } catch (EOFException | ZipException e) {
      // The format reads up to the same place, and reports it.
    }
    in.reset();
    return new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
  }

  /** {@return the reason why the content has no first byte} */
  private String emptyMessage() throws IOException {
    try {
      return bytes.read() < 0 ? "is empty, expected a trace" : damageMessage();
    } catch (EOFException | ZipException e) {
      return damageMessage();
    }
  }

  /** {@return the name of the file in messages} */
  public String source() {
    return source;
  }

  /** {@return the file; it can be read only once if it is a pipe} */
  public Path file() {
    return file;
  }

  /** {@return true if the file is compressed, so that its bytes are not the content} */
  public boolean isPacked() {
    return packing != Packing.NONE;
  }

  /**
   * {@return the history of the chosen allocator}
   *
   * @param histories the histories of all allocators
   * @throws MalformedFileException if there are fewer
   */
  <H> H chosen(List<H> histories) throws MalformedFileException {
    if (deviceIndex() >= histories.size()) {
      throw new MalformedFileException(
          source, missing("allocator", deviceIndex(), histories.size()));
    }
    return histories.get(deviceIndex());
  }

  /** {@return the problem of a trace without the chosen device or allocator} */
  static String missing(String kind, int index, int count) {
    return count == 0
        ? "has no " + kind + ", expected the history of one"
        : String.format(
            Locale.ROOT,
            "has no %s %d, expected --device 0%s",
            kind,
            index,
            count == 1 ? "" : " to " + (count - 1));
  }

  /** {@return the index of the device to read, if the trace has several} */
  public int deviceIndex() {
    return chosen.deviceIndex();
  }

  /** {@return the name of the allocator to read; empty for the allocator of the device} */
  Optional<String> allocator() {
    return chosen.allocator();
  }

  /** {@return the first 4,096 bytes of the content without colours, each as one character} */
  String head() {
    return ColourCodes.removedFrom(head);
  }

  /** {@return the first 4 MiB of the content without colours, each byte as one character} */
  String longHead() throws IOException {
    return ColourCodes.removedFrom(head(bytes, MAX_LONG_HEAD_BYTES));
  }

  /**
   * {@return the content, from its start; all calls return the same stream}
   *
   * <p>If the compressed file is cut short or damaged, the stream throws an {@link EOFException} or
   * a {@link ZipException} there.
   */
  public InputStream bytes() {
    return bytes;
  }

  /** A reader of lines. */
  @FunctionalInterface
  interface LineReader {

    /**
     * Reads a line.
     *
     * @param line the line without its end, not blank
     * @param place its place, such as {@code line 17}
     * @throws MalformedFileException if the line violates the format
     */
    void read(String line, String place) throws MalformedFileException;
  }

  /**
   * Reads the content as lines of UTF-8, each of at most 65,536 characters.
   *
   * @param events the consumer of the events; it gets the problem of a file that ends early
   * @param reader the reader of the lines
   * @throws MalformedFileException if the content is not such a text, or by the reader
   * @throws IOException if the file cannot be read
   */
  void forEachLine(CheckedEvents events, LineReader reader) throws IOException {
    forEachLine(new TextLines(source, bytes), events, reader);
  }

  /**
   * Reads the content as lines of a log, to which other programs write, too: each byte is one
   * character, and only the first 65,536 characters of a line are read.
   *
   * @param events the consumer of the events; it gets the problem of a file that ends early
   * @param reader the reader of the lines
   * @throws MalformedFileException by the reader
   * @throws IOException if the file cannot be read
   */
  void forEachLogLine(CheckedEvents events, LineReader reader) throws IOException {
    forEachLine(TextLines.ofLog(source, bytes), events, reader);
  }

  private void forEachLine(TextLines lines, CheckedEvents events, LineReader reader)
      throws IOException {
    try {
      for (Optional<String> next = lines.next(); next.isPresent(); next = lines.next()) {
        if (!next.get().isBlank()) {
          reader.read(next.get(), lines.place());
        }
      }
    } catch (EOFException | ZipException e) {
      events.endEarly(lines.place(), damageMessage());
    }
  }

  /** {@return the problem of a compressed file that is cut short or damaged, for messages} */
  public String damageMessage() {
    return "the "
        + (packing == Packing.ZIP ? "zip" : "gzip")
        + " file is cut short or damaged here";
  }

  /** The bytes of the only file in a zip archive. */
  private static final class OnlyEntry extends InputStream {

    private final String source;
    private final ZipInputStream archive;

    OnlyEntry(String source, ZipInputStream archive) throws IOException {
      this.source = source;
      this.archive = archive;
      if (nextFile().isEmpty()) {
        throw new MalformedFileException(source, "has no file, expected a zip file with a trace");
      }
    }

    /** {@return the name of the next file, on which the archive is positioned then} */
    private Optional<String> nextFile() throws IOException {
      try {
        ZipEntry entry = archive.getNextEntry();
        while (entry != null && (entry.isDirectory() || entry.getName().startsWith(ATTRIBUTES))) {
          entry = archive.getNextEntry();
        }
        return Optional.ofNullable(entry).map(ZipEntry::getName);
      } catch (IllegalArgumentException e) {
        throw new ZipException("a name is not UTF-8");
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = archive.read(target, offset, length);
      if (count < 0) {
        Optional<String> second = nextFile();
        if (second.isPresent()) {
          throw new MalformedFileException(
              source,
              "has a second file '"
                  + MalformedFileException.excerpt(second.get())
                  + "', expected a zip file with one trace");
        }
      }
      return count;
    }
  }
}
