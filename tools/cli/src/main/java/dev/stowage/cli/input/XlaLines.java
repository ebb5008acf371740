package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.LineNumberReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** The lines of a text file of a dump; gzip has packed it if its name ends with .gz. */
final class XlaLines implements Closeable {

  private final String source;
  private final LineNumberReader reader;

  /**
   * Opens a file.
   *
   * @param source the file in messages
   */
  XlaLines(String source, Path file) throws IOException {
    this.source = source;
    InputStream in = Files.newInputStream(file);
    try {
      boolean isPacked = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
      reader = new LineNumberReader(TextInput.of(isPacked ? new GZIPInputStream(in) : in));
    } catch (IOException e) {
      in.close();
      throw named(e);
    }
  }

  /**
   * {@return the next line, without the characters that end it; empty at the end of the file}
   *
   * @throws MalformedFileException if the file cannot be unpacked or is not UTF-8
   */
  Optional<String> next() throws IOException {
    try {
      return Optional.ofNullable(reader.readLine());
    } catch (IOException e) {
      throw named(e);
    }
  }

  /** {@return an error in the line that was read last} */
  MalformedFileException error(String problem) {
    return new MalformedFileException(source, "line " + reader.getLineNumber(), problem);
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

  private IOException named(IOException e) {
    return switch (e) {
      case EOFException _, ZipException _ ->
          fileError("is cut short or damaged, expected a gzip file");
      case CharacterCodingException _ -> fileError("is not UTF-8, expected a text file");
      default -> e;
    };
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
