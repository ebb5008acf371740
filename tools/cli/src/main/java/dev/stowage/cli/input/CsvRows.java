package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** The rows of a CSV text as in RFC 4180, without white space around fields. */
final class CsvRows {

  /** A text without rows, such as a binary file, must not take all memory. */
  private static final int MAX_ROW_CHARS = 1 << 20;

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreSurroundingSpaces(true).get();

  private final String source;
  private final RowReader reader;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private long firstLine = 1;

  CsvRows(String source, Reader reader) throws IOException {
    this.source = source;
    this.reader = new RowReader(reader);
    parser = FORMAT.parse(this.reader);
    records = parser.iterator();
  }

  /**
   * {@return the fields of the next row, or empty after the last one; a blank line is one empty
   * field}
   */
  Optional<List<String>> next() throws IOException {
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
