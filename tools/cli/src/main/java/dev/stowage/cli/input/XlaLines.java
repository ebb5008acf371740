package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.io.Closeable;
import java.io.IOException;
import java.io.LineNumberReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.Optional;

/** The lines of a text file of a dump. */
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
    try {
      reader = new LineNumberReader(TextInput.open(file));
    } catch (CharacterCodingException e) {
      throw noText();
    }
  }

  /**
   * {@return the next line, without the characters that end it; empty at the end of the file}
   *
   * @throws MalformedFileException if the file is not UTF-8
   */
  Optional<String> next() throws IOException {
    try {
      return Optional.ofNullable(reader.readLine());
    } catch (CharacterCodingException e) {
      throw noText();
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

  private MalformedFileException noText() {
    return fileError("is not UTF-8, expected a text file");
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
