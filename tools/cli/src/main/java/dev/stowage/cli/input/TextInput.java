package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Text files in UTF-8. They may start with a byte order mark, as some editors write it. A reader
 * throws a {@link MalformedFileException} if the text is not UTF-8.
 */
public final class TextInput {

  private static final int BYTE_ORDER_MARK = '\uFEFF';

  private TextInput() {}

  /** {@return a reader of a file} */
  public static Reader open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      return of(file.toString(), in);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /**
   * {@return a reader of a text}
   *
   * @param source the file in messages
   */
  static BufferedReader of(String source, InputStream in) throws IOException {
    Reader utf8 = new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder());
    BufferedReader reader = new BufferedReader(new Utf8Reader(source, utf8));
    reader.mark(1);
    if (reader.read() != BYTE_ORDER_MARK) {
      reader.reset();
    }
    return reader;
  }

  private static final class Utf8Reader extends FilterReader {

    private final String source;

    Utf8Reader(String source, Reader reader) {
      super(reader);
      this.source = source;
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
      try {
        return super.read(buffer, offset, length);
      } catch (CharacterCodingException e) {
        throw new MalformedFileException(source, "is not UTF-8, expected a text file");
      }
    }
  }
}
