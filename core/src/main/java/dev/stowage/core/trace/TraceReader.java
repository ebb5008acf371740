package dev.stowage.core.trace;

import dev.stowage.core.MalformedFileException;
import dev.stowage.core.trace.pytorch.MemorySnapshot;
import dev.stowage.core.trace.pytorch.SnapshotReader;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A reader of traces. It detects the format from the content of a file, not from its name.
 *
 * <p>Text may be compressed with gzip. It is read line by line, so that a trace may be larger than
 * memory. A snapshot of PyTorch is read as a whole, by a {@link SnapshotReader}.
 */
public final class TraceReader {

  private static final int BYTE_ORDER_MARK = '\uFEFF';

  /** The first byte of a pickle from protocol 2. */
  private static final int PICKLE = 0x80;

  private TraceReader() {}

  /**
   * Reads a trace and {@return a summary}
   *
   * @param source the name of the file in messages
   * @param file the file
   * @param options the options
   * @param consumer the consumer of the events; if an exception is thrown, it has the events before
   * @throws MalformedFileException if the file is not a trace, damaged or cut short, or has an
   *     impossible event and {@code !options.isLenient()}
   * @throws IOException if the file cannot be read
   */
  public static TraceSummary read(
      String source, Path file, TraceOptions options, EventConsumer consumer) throws IOException {
    CheckedEvents events = new CheckedEvents(source, options.isLenient(), consumer);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      in.mark(2);
      int first = in.read();
      int second = in.read();
      in.reset();
      if (first < 0) {
        throw new MalformedFileException(source, "is empty, expected a trace");
      }
      if (first == PICKLE) {
        MemorySnapshot snapshot =
            Files.isRegularFile(file)
                ? SnapshotReader.read(source, file)
                : SnapshotReader.read(source, in);
        return PytorchSnapshot.pass(source, snapshot, options.deviceIndex(), events);
      }
      return first == 0x1f && second == 0x8b
          ? readCompressed(source, in, events)
          : readText(source, in, events);
    }
  }

  private static TraceSummary readCompressed(String source, InputStream in, CheckedEvents events)
      throws IOException {
    InputStream unpacked;
    try {
      unpacked = new GZIPInputStream(in, 1 << 16);
    } catch (EOFException | ZipException e) {
      throw new MalformedFileException(source, "is cut short or damaged, expected a gzip file");
    }
    return readText(source, unpacked, events);
  }

  private static TraceSummary readText(String source, InputStream in, CheckedEvents events)
      throws IOException {
    Reader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()), 1 << 16);
    TextLines lines = new TextLines(source, reader);
    LineFormat format;
    try {
      format = format(source, lines);
    } catch (EOFException | ZipException e) {
      throw new MalformedFileException(
          source, lines.place(), "the gzip file is cut short or damaged here");
    }
    int fieldCount = format.header().split(",", -1).length;
    try {
      for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
        if (!line.get().isBlank()) {
          readLine(line.get(), fieldCount, format, lines.place(), events);
        }
      }
    } catch (EOFException | ZipException e) {
      events.endEarly(lines.place(), "the gzip file is cut short or damaged here");
    }
    return events.summary(format.name());
  }

  private static void readLine(
      String line, int fieldCount, LineFormat format, String place, CheckedEvents events)
      throws MalformedFileException {
    String[] fields = line.split(",", -1);
    for (int i = 0; i < fields.length; i++) {
      fields[i] = fields[i].strip();
    }
    if (fields.length == fieldCount) {
      format.read(fields, place, events);
    } else {
      events.refuse(
          place,
          String.format(
              Locale.ROOT,
              "has %d fields, expected %d (%s)",
              fields.length,
              fieldCount,
              format.header()));
    }
  }

  private static LineFormat format(String source, TextLines lines) throws IOException {
    String header = lines.next().orElse("");
    if (!header.isEmpty() && header.charAt(0) == BYTE_ORDER_MARK) {
      header = header.substring(1);
    }
    List<LineFormat> formats = List.of(new NormalizedCsv(), new RmmLog());
    for (LineFormat format : formats) {
      if (header.replace(" ", "").equalsIgnoreCase(format.header())) {
        return format;
      }
    }
    String expected =
        String.format(
            Locale.ROOT,
            "is '%s', expected the header %s of a trace, %s of an RMM log, or a snapshot of PyTorch",
            MalformedFileException.excerpt(header),
            formats.getFirst().header(),
            formats.getLast().header());
    throw new MalformedFileException(source, lines.place(), expected);
  }
}
