package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The lines of a text file of a dump, which gzip may have packed.
 *
 * <p>A line can have all numbers of a constant, and its metadata is at the end. Of a long line,
 * only the start and the end are kept.
 */
final class XlaLines implements Closeable {

  /** The characters of a line that are kept at its start and at its end. */
  private static final int KEPT = 1 << 16;

  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  private final String source;
  private final Reader reader;
  private final char[] buffer = new char[1 << 14];
  private int from;
  private int to;
  private long number;

  private XlaLines(String source, Reader reader) {
    this.source = source;
    this.reader = reader;
  }

  /**
   * {@return the lines of a file}
   *
   * @param source the file in messages
   */
  static XlaLines open(String source, Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file));
    try {
      in.mark(2);
      boolean isPacked = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
      in.reset();
      return new XlaLines(source, TextInput.of(isPacked ? new GZIPInputStream(in) : in));
    } catch (IOException e) {
      in.close();
      throw named(source, e);
    }
  }

  /**
   * {@return the next line, without the characters that end it; empty at the end of the file}
   *
   * @throws MalformedFileException if the file cannot be unpacked or is not UTF-8
   */
  Optional<String> next() throws IOException {
    try {
      StringBuilder line = new StringBuilder();
      boolean isEnded = false;
      while (!isEnded && fill()) {
        int end = from;
        while (end < to && buffer[end] != '\n') {
          end++;
        }
        isEnded = end < to;
        add(end, line);
        from = isEnded ? end + 1 : end;
      }
      if (line.isEmpty() && !isEnded) {
        return Optional.empty();
      }
      number++;
      boolean hasReturn = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
      return Optional.of(line.substring(0, line.length() - (hasReturn ? 1 : 0)));
    } catch (IOException e) {
      throw named(source, e);
    }
  }

  /** {@return false at the end of the file, else true, with one or more characters to read} */
  private boolean fill() throws IOException {
    if (from == to) {
      from = 0;
      to = Math.max(0, reader.read(buffer));
    }
    return from < to;
  }

  /** Adds characters of the buffer to a line and omits its middle if it is long. */
  private void add(int end, StringBuilder line) {
    line.append(buffer, from, end - from);
    if (line.length() > 3 * KEPT) {
      line.delete(KEPT, line.length() - KEPT);
    }
  }

  /** {@return an error in the line that was read last} */
  MalformedFileException error(String problem) {
    return new MalformedFileException(source, "line " + number, problem);
  }

  /** {@return an error of the whole file} */
  MalformedFileException fileError(String problem) {
    return new MalformedFileException(source, problem);
  }

  /**
   * {@return a number in the line that was read last, less than 2^63 - 1}
   *
   * @param digits one or more digits
   */
  long number(String digits) throws MalformedFileException {
    try {
      long number = Long.parseLong(digits);
      if (number < Long.MAX_VALUE) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The number is too large, because there are only digits.
    }
    throw error(
        "has the number "
            + MalformedFileException.excerpt(digits)
            + ", expected one below 2^63 - 1");
  }

  private static IOException named(String source, IOException e) {
    return switch (e) {
      case EOFException _, ZipException _ ->
          new MalformedFileException(source, "is cut short or damaged, expected a gzip file");
      case CharacterCodingException _ ->
          new MalformedFileException(source, "is not UTF-8, expected a text file");
      default -> e;
    };
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
