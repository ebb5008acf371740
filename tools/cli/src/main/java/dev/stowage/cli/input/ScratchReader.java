package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.micro.ScratchBuffer;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A reader of the scratch buffers of a model: CSV with the columns subgraph, operator and bytes.
 */
public final class ScratchReader {

  private static final List<String> COLUMNS = List.of("subgraph", "operator", "bytes");

  private ScratchReader() {}

  /**
   * {@return the buffers of a file}
   *
   * @throws MalformedFileException if the file violates its format
   */
  public static List<ScratchBuffer> read(String path) throws IOException {
    try (Reader reader = TextInput.open(ExistingFile.of(path))) {
      CsvRows rows = new CsvRows(path, reader, "with subgraph, operator and bytes");
      rows.find(Set.copyOf(COLUMNS), Map.of());
      for (String column : COLUMNS) {
        if (!rows.has(column)) {
          throw rows.malformed(
              Text.of(
                  "has no column %s, expected a header with %s",
                  column, String.join(",", COLUMNS)));
        }
      }
      List<ScratchBuffer> buffers = new ArrayList<>();
      while (rows.next()) {
        buffers.add(
            new ScratchBuffer(
                number(rows, "subgraph"), number(rows, "operator"), number(rows, "bytes")));
      }
      return buffers;
    } catch (CharacterCodingException e) {
      throw new MalformedFileException(path, "is not UTF-8, expected a text file");
    }
  }

  private static int number(CsvRows rows, String column) throws MalformedFileException {
    String text = rows.text(column);
    if (text.matches("[0-9]{1,10}") && Long.parseLong(text) <= Integer.MAX_VALUE) {
      return Integer.parseInt(text);
    }
    throw rows.malformed(
        Text.of(
            "%s is '%s', expected a whole number from 0 to %d",
            column, MalformedFileException.excerpt(text), Integer.MAX_VALUE));
  }
}
