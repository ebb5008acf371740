package dev.stowage.cli.input;

import dev.stowage.core.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a CSV text as RFC 4180 has them, without blanks around a field.
 *
 * <p>A field in quotes may hold commas, blanks at its ends, line ends, and quotes, which are
 * doubled. A quote within a field that does not start with one is a character like any other.
 */
final class CsvRows {

  private final String source;
  private final TextLines lines;
  private int firstLine;

  CsvRows(String source, Reader reader) {
    this.source = source;
    lines = new TextLines(source, reader);
  }

  /** {@return the fields of the next row, null behind the last one; a blank line is one field} */
  @Nullable List<String> next() throws IOException {
    String line = lines.next();
    firstLine = lines.number();
    if (line == null) {
      return null;
    }
    if (line.indexOf('"') >= 0) {
      return new QuotedRow(line).fields();
    }
    String[] fields = line.split(",", -1);
    for (int i = 0; i < fields.length; i++) {
      fields[i] = fields[i].strip();
    }
    return List.of(fields);
  }

  /** {@return an error in the row read last} */
  MalformedFileException malformed(String problem) {
    return new MalformedFileException(source, "line " + firstLine, problem);
  }

  /** A row with quotes in it, which may go on in the next lines. */
  private final class QuotedRow {

    private final StringBuilder text;
    private final List<String> fields = new ArrayList<>();
    private int position;

    QuotedRow(String line) {
      text = new StringBuilder(line);
    }

    List<String> fields() throws IOException {
      position = -1;
      do {
        position++;
        fields.add(field());
      } while (position < text.length());
      return fields;
    }

    /** {@return the field at the position, which then is at the comma or the end behind it} */
    private String field() throws IOException {
      int start = position;
      while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
        position++;
      }
      if (position < text.length() && text.charAt(position) == '"') {
        String quoted = quoted();
        if (!behind(position).isEmpty()) {
          throw malformed(
              String.format(
                  Locale.ROOT,
                  "expected a comma behind a field in quotes, found '%s'",
                  MalformedFileException.excerpt(behind(position))));
        }
        position = end(position);
        return quoted;
      }
      String plain = behind(start);
      position = end(start);
      return plain;
    }

    /** {@return what is between the quotes; the position is then behind the closing one} */
    private String quoted() throws IOException {
      StringBuilder field = new StringBuilder();
      while (true) {
        position++;
        if (position == text.length()) {
          continueInNextLine();
        }
        char c = text.charAt(position);
        if (c == '"') {
          position++;
          if (position == text.length() || text.charAt(position) != '"') {
            return field.toString();
          }
        }
        field.append(c);
      }
    }

    private void continueInNextLine() throws IOException {
      String lineEnd = lines.end();
      String line = text.length() > TextLines.LONGEST ? null : lines.next();
      if (line == null) {
        throw malformed("a quote is opened and not closed");
      }
      text.append(lineEnd).append(line);
    }

    private String behind(int start) {
      return text.substring(start, end(start)).strip();
    }

    private int end(int start) {
      int comma = text.indexOf(",", start);
      return comma < 0 ? text.length() : comma;
    }
  }
}
