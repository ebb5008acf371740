package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Function;

/** A format of text with a header and one event on each line. */
final class HeaderFormat implements TraceFormat {

  /** The byte order mark in UTF-8, as the characters of a head. */
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

  private final String name;
  private final String title;
  private final String header;
  private final Function<CheckedEvents, FieldsReader> newReader;

  /**
   * Creates a format.
   *
   * @param name the name in summaries
   * @param title the description
   * @param header the first line of a file, which is compared without regard to case and spaces
   * @param newReader creates the reader of a file
   */
  HeaderFormat(
      String name, String title, String header, Function<CheckedEvents, FieldsReader> newReader) {
    this.name = name;
    this.title = title;
    this.header = header;
    this.newReader = newReader;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return title;
  }

  @Override
  public boolean matches(String head) {
    String start = head.startsWith(BYTE_ORDER_MARK) ? head.substring(3) : head;
    String line = start.lines().findFirst().orElse("");
    return line.replace(" ", "").equalsIgnoreCase(header);
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    content.forEachLine(events, new Rows(newReader.apply(events), events));
    return events.summary(name);
  }

  /** The lines of a file. */
  private final class Rows implements TraceContent.LineReader {

    private final int fieldCount = header.split(",", -1).length;

    /** The fields of a line; an array that all lines share. */
    private final String[] fields = new String[fieldCount];

    private final FieldsReader reader;
    private final CheckedEvents events;
    private boolean isAfterHeader;

    Rows(FieldsReader reader, CheckedEvents events) {
      this.reader = reader;
      this.events = events;
    }

    @Override
    public void read(String line, String place) throws MalformedFileException {
      if (!isAfterHeader) {
        isAfterHeader = true;
        return;
      }
      int start = 0;
      int count = 0;
      for (int comma = line.indexOf(','); comma >= 0; comma = line.indexOf(',', start)) {
        add(count++, line.substring(start, comma));
        start = comma + 1;
      }
      add(count++, line.substring(start));
      if (count == fieldCount) {
        reader.read(fields, place);
      } else {
        events.refuse(
            place,
            String.format(
                Locale.ROOT, "has %d fields, expected %d (%s)", count, fieldCount, header));
      }
    }

    private void add(int index, String field) {
      if (index < fieldCount) {
        fields[index] = field.strip();
      }
    }
  }
}
