package dev.stowage.cli.input;

import dev.stowage.core.MalformedFileException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** The lines of a text, numbered from 1; LF or CRLF ends one. */
final class TextLines {

  /** What is no text has no lines either: without a limit one "line" would take all memory. */
  static final int LONGEST = 1 << 20;

  private final String source;
  private final BufferedReader reader;
  private int number;
  private String end = "";

  TextLines(String source, Reader reader) {
    this.source = source;
    this.reader = new BufferedReader(reader, 1 << 16);
  }

  /** {@return the number of the line read last} */
  int number() {
    return number;
  }

  /** {@return the place of the line read last, as an error names it} */
  String place() {
    return "line " + number;
  }

  /** {@return what ended the line read last, {@code "\n"} or {@code "\r\n"}} */
  String end() {
    return end;
  }

  /** {@return the next line, null behind the last one} */
  @Nullable String next() throws IOException {
    StringBuilder line = new StringBuilder();
    int c = reader.read();
    if (c < 0) {
      return null;
    }
    number++;
    for (; c >= 0 && c != '\n'; c = reader.read()) {
      if (line.length() == LONGEST) {
        throw new MalformedFileException(
            source, place(), "is longer than " + LONGEST + " characters, expected a text file");
      }
      line.append((char) c);
    }
    end = "\n";
    int length = line.length();
    if (length > 0 && line.charAt(length - 1) == '\r') {
      line.setLength(length - 1);
      end = "\r\n";
    }
    return line.toString();
  }
}
