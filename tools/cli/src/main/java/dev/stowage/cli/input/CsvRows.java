package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The rows of a CSV text as in RFC 4180 below a header. White space around fields and blank rows
 * are ignored.
 */
final class CsvRows {

  /** A text without rows, such as a binary file, must not take all memory. */
  private static final int MAX_ROW_CHARS = 1 << 20;

  /** The digits of other scripts and a plus sign are not accepted. */
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreSurroundingSpaces(true).get();

  private final String source;
  private final RowReader reader;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private final List<String> header;
  private final Map<String, Integer> positions = new HashMap<>();
  private List<String> fields;
  private long firstLine = 1;

  /**
   * Creates the rows and reads the header.
   *
   * @param expected the header in messages
   * @throws MalformedFileException if there is no header
   */
  CsvRows(String source, Reader text, String expected) throws IOException {
    this.source = source;
    reader = new RowReader(text);
    parser = FORMAT.parse(reader);
    records = parser.iterator();
    header =
        read()
            .orElseThrow(() ->
                new MalformedFileException(source, "is empty, expected a header " + expected));
    fields = header;
  }

  List<String> header() {
    return header;
  }

  /**
   * Finds columns by the names in the header. Names may have capital letters.
   *
   * @param columns the columns
   * @param aliases the columns by their other names
   * @return the names in the header that are neither columns nor aliases
   * @throws MalformedFileException if a column occurs twice
   */
  Set<String> find(Set<String> columns, Map<String, String> aliases) throws MalformedFileException {
    Set<String> unknown = new TreeSet<>();
    for (int position = 0; position < header.size(); position++) {
      String name = header.get(position).strip().toLowerCase(Locale.ROOT);
      String column = aliases.getOrDefault(name, name);
      if (!columns.contains(column)) {
        unknown.add(header.get(position));
      } else if (positions.put(column, position) != null) {
        throw malformed(Text.of("has the column '%s' twice, expected once", column));
      }
    }
    return unknown;
  }

  /** {@return true if the header has a column} */
  boolean has(String column) {
    return positions.containsKey(column);
  }

  /**
   * Moves to the next row.
   *
   * @return false if there is none
   * @throws MalformedFileException if the row has more or fewer fields than the header
   */
  boolean next() throws IOException {
    Optional<List<String>> row = read();
    while (row.isPresent() && row.get().size() == 1 && row.get().getFirst().isEmpty()) {
      row = read();
    }
    if (row.isPresent()) {
      fields = row.get();
      if (fields.size() != header.size()) {
        throw malformed(
            Text.of(
                "the row has %d fields, expected %d as in the header",
                fields.size(), header.size()));
      }
    }
    return row.isPresent();
  }

  private Optional<List<String>> read() throws IOException {
    firstLine = parser.getCurrentLineNumber() + 1;
    reader.rowChars = 0;
    try {
      return records.hasNext() ? Optional.of(records.next().toList()) : Optional.empty();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof CSVException) {
        throw malformed(
            reader.isAtEnd
                ? "a quote is opened and not closed"
                : "expected a comma after a quoted field (a quote within a field is doubled)");
      }
      throw e.getCause();
    }
  }

  List<String> fields() {
    return fields;
  }

  /** {@return the field of a column, empty if the header does not have it} */
  String text(String column) {
    Integer position = positions.get(column);
    return position == null ? "" : fields.get(position);
  }

  /**
   * {@return the number in the field of a column}
   *
   * @throws MalformedFileException if there is none
   */
  long number(String column) throws MalformedFileException {
    return number(text(column), column);
  }

  /** {@return the number in the field of a column, empty if the field is empty} */
  OptionalLong optionalNumber(String column) throws MalformedFileException {
    return text(column).isEmpty() ? OptionalLong.empty() : OptionalLong.of(number(column));
  }

  /** {@return the number in a part of the field of a column} */
  long number(String text, String column) throws MalformedFileException {
    if (NUMBER.matcher(text).matches()) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        // The number is too large.
      }
    }
    throw malformed(
        Text.of(
            "column %s is '%s', expected a whole number below 2^63",
            column, MalformedFileException.excerpt(text)));
  }

  /** {@return an error in the row that was read last} */
  MalformedFileException malformed(String problem) {
    return new MalformedFileException(source, place(), problem);
  }

  /** {@return the place of the row that was read last} */
  String place() {
    return "line " + firstLine;
  }

  /** The text, up to a row that is too long. */
  private final class RowReader extends FilterReader {

    private int rowChars;
    private boolean isAtEnd;

    RowReader(Reader reader) {
      super(reader);
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
      if (rowChars > MAX_ROW_CHARS) {
        throw malformed(
            "has more than "
                + MAX_ROW_CHARS
                + " characters, expected a text file with closed quotes");
      }
      int count = super.read(buffer, offset, length);
      isAtEnd = count < 0;
      rowChars += Math.max(0, count);
      return count;
    }
  }
}
