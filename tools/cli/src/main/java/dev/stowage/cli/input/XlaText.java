package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The lines of a file of a dump.
 *
 * @param source the file in messages
 */
record XlaText(String source, List<String> lines) {

  /**
   * {@return the text of a file, unpacked by gzip if the name ends with {@code .gz}}
   *
   * @throws MalformedFileException if the file cannot be unpacked or is not UTF-8
   */
  static XlaText read(String source, Path file) throws IOException {
    boolean isPacked = source.toLowerCase(Locale.ROOT).endsWith(".gz");
    try (InputStream in = Files.newInputStream(file);
        InputStream unpacked = isPacked ? new GZIPInputStream(in) : in;
        BufferedReader reader = TextInput.of(source, unpacked)) {
      return new XlaText(source, reader.readAllLines());
    } catch (EOFException | ZipException e) {
      throw new MalformedFileException(source, "is cut short or damaged, expected a gzip file");
    }
  }

  /** Checks the start of the first line. */
  void checkStart(String start, String content) throws MalformedFileException {
    if (lines.isEmpty() || !lines.getFirst().startsWith(start)) {
      throw new MalformedFileException(
          source, "is no " + content + ", expected '" + start + "' in the first line");
    }
  }

  /**
   * {@return a number below 2^63 - 1}
   *
   * @param line the index of the line
   * @param digits one or more digits
   */
  long number(int line, String digits) throws MalformedFileException {
    try {
      long number = Long.parseLong(digits);
      if (number < Long.MAX_VALUE) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The number is too large, because there are only digits.
    }
    throw error(
        line,
        "has the number "
            + MalformedFileException.excerpt(digits)
            + ", expected one below 2^63 - 1");
  }

  /**
   * {@return an error in a line}
   *
   * @param line the index of the line
   */
  MalformedFileException error(int line, String problem) {
    return new MalformedFileException(source, "line " + (line + 1), problem);
  }
}
