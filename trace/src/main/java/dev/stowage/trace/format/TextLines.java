package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.ZipException;

/** The lines of a text without colours, numbered from 1. LF or CRLF ends a line. */
final class TextLines {

  /**
   * The maximum number of characters of a line, so that a file that is not text cannot fill the
   * memory.
   */
  static final int LONGEST = 1 << 16;

  private final String source;
  private final boolean isLog;
  private final Reader reader;
  private final StringBuilder line = new StringBuilder();

  /** The characters that were read: a reader takes a lock for each call. */
  private final char[] buffer = new char[1 << 14];

  private int start;
  private int end;
  private int number;

  /**
   * Creates the lines of a stream.
   *
   * @param source the name of the file in messages
   */
  TextLines(String source, InputStream bytes) {
    this(source, bytes, false);
  }

  private TextLines(String source, InputStream bytes, boolean isLog) {
    this.source = source;
    this.isLog = isLog;
    reader =
        isLog
            ? new InputStreamReader(bytes, StandardCharsets.ISO_8859_1)
            : new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder());
  }

  /**
   * {@return the lines of a log, to which other programs write, too}
   *
   * <p>Each byte is one character, and only the first characters of a long line are kept.
   *
   * @param source the name of the file in messages
   */
  static TextLines ofLog(String source, InputStream bytes) {
    return new TextLines(source, bytes, true);
  }

  /** {@return the place of the last line that was read or could not be read} */
  String place() {
    return "line " + number;
  }

  /**
   * {@return the next line, or empty after the last one}
   *
   * @throws MalformedFileException if the file is not text
   * @throws EOFException if the file is cut short
   * @throws ZipException if the file is damaged
   */
  Optional<String> next() throws IOException {
    line.setLength(0);
    number++;
    try {
      if (start == end && !fill()) {
        return Optional.empty();
      }
      boolean isEnded = false;
      while (!isEnded && (start < end || fill())) {
        isEnded = take();
      }
    } catch (CharacterCodingException e) {
      throw new MalformedFileException(source, place(), "is not UTF-8, expected a text file");
    }
    int length = line.length();
    if (length > 0 && line.charAt(length - 1) == '\r') {
      line.setLength(length - 1);
    }
    return Optional.of(ColourCodes.removedFrom(line.toString()));
  }

  /** Reads the next characters and {@return false if there are none} */
  private boolean fill() throws IOException {
    start = 0;
    end = Math.max(0, reader.read(buffer));
    return end > 0;
  }

  /** Adds the next characters to the line and {@return true if the line ends there} */
  private boolean take() throws MalformedFileException {
    int stop = start;
    while (stop < end && buffer[stop] != '\n') {
      stop++;
    }
    int room = LONGEST - line.length();
    if (stop - start > room && !isLog) {
      throw new MalformedFileException(
          source, place(), "is longer than " + LONGEST + " characters, expected a text file");
    }
    line.append(buffer, start, Math.min(stop - start, room));
    boolean isEnd = stop < end;
    start = isEnd ? stop + 1 : stop;
    return isEnd;
  }
}
