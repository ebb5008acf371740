package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.micro.ScratchBuffer;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A reader of the scratch buffers of a model: CSV with the columns subgraph, operator and bytes.
 */
public final class ScratchReader {

  private static final List<String> COLUMNS = List.of("subgraph", "operator", "bytes");

  private final CsvRows rows;
  private final int[] columns = new int[COLUMNS.size()];

  private ScratchReader(CsvRows rows) {
    this.rows = rows;
  }

  /**
   * {@return the buffers of a file}
   *
   * @throws MalformedFileException if the file violates its format
   */
  public static List<ScratchBuffer> read(String path) throws IOException {
    try (Reader reader = TextInput.open(ExistingFile.of(path))) {
      return new ScratchReader(new CsvRows(path, reader)).readAll();
    } catch (CharacterCodingException e) {
      throw new MalformedFileException(path, "is not UTF-8, expected a text file");
    }
  }

  private List<ScratchBuffer> readAll() throws IOException {
    List<String> header =
        rows.next().orElseThrow(() -> rows.malformed("is empty, expected a header")).stream()
            .map(name -> name.strip().toLowerCase(Locale.ROOT))
            .toList();
    for (int i = 0; i < columns.length; i++) {
      columns[i] = header.indexOf(COLUMNS.get(i));
      if (columns[i] < 0) {
        throw rows.malformed(
            Text.of(
                "has no column %s, expected a header with %s",
                COLUMNS.get(i), String.join(",", COLUMNS)));
      }
    }
    List<ScratchBuffer> buffers = new ArrayList<>();
    for (var row = rows.next(); row.isPresent(); row = rows.next()) {
      List<String> fields = row.get();
      if (fields.size() == 1 && fields.getFirst().isEmpty()) {
        continue;
      }
      if (fields.size() != header.size()) {
        throw rows.malformed(Text.of("has %d fields, expected %d", fields.size(), header.size()));
      }
      buffers.add(buffer(fields));
    }
    return buffers;
  }

  private ScratchBuffer buffer(List<String> fields) throws MalformedFileException {
    long[] values = new long[columns.length];
    for (int i = 0; i < columns.length; i++) {
      String text = fields.get(columns[i]);
      values[i] = WholeNumber.parse(text).orElse(-1);
      if (values[i] < 0 || values[i] > Integer.MAX_VALUE) {
        throw rows.malformed(
            Text.of(
                "%s is '%s', expected a whole number from 0 to 2147483647", COLUMNS.get(i), text));
      }
    }
    return new ScratchBuffer((int) values[0], (int) values[1], values[2]);
  }
}
