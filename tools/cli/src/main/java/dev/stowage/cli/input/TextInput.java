package dev.stowage.cli.input;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Text files in UTF-8. They may start with a byte order mark, as some editors write it. */
public final class TextInput {

  private static final int BYTE_ORDER_MARK = '\uFEFF';

  private TextInput() {}

  /**
   * {@return a reader of a file}
   *
   * @throws java.nio.charset.CharacterCodingException if the start is not UTF-8; the reader throws
   *     the same for the rest
   */
  public static Reader open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      return of(in);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** {@return a reader that rejects bytes other than UTF-8} */
  static Reader of(InputStream in) throws IOException {
    Reader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
    reader.mark(1);
    if (reader.read() != BYTE_ORDER_MARK) {
      reader.reset();
    }
    return reader;
  }
}
