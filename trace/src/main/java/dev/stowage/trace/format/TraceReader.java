package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A reader of traces. It detects the format from the content of a file, not from its name.
 *
 * <p>The file may be compressed with gzip, or be the only file in a zip archive. All formats except
 * snapshots are read event by event, so that a trace may be larger than memory. A snapshot of
 * PyTorch is read as a whole.
 */
public final class TraceReader {

  /** The formats in the order in which they are tried. */
  private static final List<TraceFormat> FORMATS =
      List.of(
          NormalizedCsv.FORMAT,
          RmmLog.FORMAT,
          new XlaLog(),
          new SnapshotFormat(),
          new JfrRecording());

  private TraceReader() {}

  /**
   * {@return the formats that are read with the options}
   *
   * @param options the options
   */
  public static List<TraceFormat> formats(TraceOptions options) {
    return Stream.concat(FORMATS.stream(), options.formats().stream()).toList();
  }

  /**
   * Reads a trace.
   *
   * @param source the name of the file in messages
   * @param file the file
   * @param options the options
   * @param consumer the consumer of the events; if an exception is thrown, it has the events before
   * @return a summary
   * @throws MalformedFileException if the file is not a trace, damaged or cut short, or has an
   *     impossible event
   * @throws IOException if the file cannot be read
   */
  public static TraceSummary read(
      String source, Path file, TraceOptions options, EventConsumer consumer) throws IOException {
    return readByFormat(source, file, options, format -> consumer);
  }

  /**
   * Reads a trace with a consumer that depends on its format.
   *
   * @param source the name of the file in messages
   * @param file the file
   * @param options the options
   * @param consumers gives the consumer of the events of a format
   * @return a summary
   * @throws MalformedFileException if the file is not a trace, damaged or cut short, or has an
   *     impossible event
   * @throws IOException if the file cannot be read
   */
  public static TraceSummary readByFormat(
      String source,
      Path file,
      TraceOptions options,
      Function<TraceFormat, EventConsumer> consumers)
      throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      TraceContent content = TraceContent.of(source, file, in, options.chosen());
      List<TraceFormat> formats = formats(options);
      TraceFormat format =
          formatOf(content, formats).orElseThrow(() -> unknown(content, formats)).inDetail(content);
      if (options.allocator().isPresent() && !format.namesAllocators()) {
        throw new MalformedFileException(
            source,
            "does not name its allocators, expected the number of a device instead of '"
                + MalformedFileException.excerpt(options.allocator().get())
                + "'");
      }
      return format.read(content, new CheckedEvents(source, consumers.apply(format)));
    }
  }

  private static Optional<TraceFormat> formatOf(TraceContent content, List<TraceFormat> formats)
      throws IOException {
    Optional<TraceFormat> format =
        formats.stream().filter(known -> known.matches(content.head())).findFirst();
    if (format.isPresent()) {
      return format;
    }
    String longHead = content.longHead();
    return formats.stream()
        .filter(known -> known.isWithinOtherOutput() && known.matches(longHead))
        .findFirst();
  }

  /**
   * {@return true if a file is probably a trace, false if it is empty or of another format}
   *
   * <p>Costs the time to read the first 4 MiB.
   *
   * @param file the file
   * @param options the options
   * @throws IOException if the file cannot be read
   */
  public static boolean isTrace(Path file, TraceOptions options) throws IOException {
    return formatOf(file, options).isPresent();
  }

  /**
   * {@return the format of a file; empty if it is no trace}
   *
   * <p>Costs the time to read the first 4 MiB.
   *
   * @param file the file
   * @param options the options
   * @throws IOException if the file cannot be read
   */
  public static Optional<TraceFormat> formatOf(Path file, TraceOptions options) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      TraceContent content = TraceContent.of(file.toString(), file, in, options.chosen());
      return formatOf(content, formats(options));
    } catch (MalformedFileException e) {
      return Optional.empty();
    }
  }

  private static MalformedFileException unknown(TraceContent content, List<TraceFormat> formats) {
    String start = content.head().lines().findFirst().orElse("");
    boolean binary = start.chars().anyMatch(c -> c != '\t' && Character.isISOControl(c));
    return new MalformedFileException(
        content.source(),
        (binary ? "is binary" : "starts with '" + MalformedFileException.excerpt(start) + "'")
            + ", expected a trace of "
            + formats.stream().map(TraceFormat::description).collect(Collectors.joining(", ")));
  }
}
