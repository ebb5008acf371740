package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The shapes of requests in the order of their arrival: a CSV text with a column per dimension. */
public final class RequestsFile {

  private RequestsFile() {}

  /**
   * {@return the shapes}
   *
   * @throws MalformedFileException if a row has another number of fields than the first one, or a
   *     field is no positive number, or there is no request
   */
  public static List<Map<String, Long>> read(String path) throws IOException {
    try (Reader reader = TextInput.open(Path.of(path))) {
      CsvRows rows = new CsvRows(path, reader, "such as batch,seq");
      List<Map<String, Long>> shapes = new ArrayList<>();
      while (rows.next()) {
        Map<String, Long> shape = new LinkedHashMap<>();
        for (int i = 0; i < rows.header().size(); i++) {
          String size = rows.fields().get(i);
          if (!size.matches("[1-9]\\d{0,17}")) {
            throw rows.malformed(
                Text.of(
                    "%s is '%s', expected a positive whole number", rows.header().get(i), size));
          }
          shape.put(rows.header().get(i), Long.parseLong(size));
        }
        shapes.add(shape);
      }
      if (shapes.isEmpty()) {
        throw new MalformedFileException(
            path, "has no requests, expected a header such as batch,seq and a row for each");
      }
      return shapes;
    }
  }
}
