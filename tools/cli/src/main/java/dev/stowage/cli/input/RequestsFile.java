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
import java.util.Set;
import tools.jackson.core.type.TypeReference;

/** The shapes of requests in the order of their arrival: a CSV text with a column per dimension. */
public final class RequestsFile {

  private static final String HEADER = "a header with dimensions such as batch,seq";

  private RequestsFile() {}

  /**
   * {@return the shapes}
   *
   * @throws MalformedFileException if a row has another number of fields than the first one, or a
   *     field is no positive number, or there is no request
   */
  public static List<Map<String, Long>> read(String path) throws IOException {
    try (Reader reader = TextInput.open(Path.of(path))) {
      MappedText text = MappedText.ofCsv(path, reader, Map.of(), Set.of(), HEADER);
      List<Map<String, Long>> shapes = new ArrayList<>();
      text.readRows(
          new TypeReference<LinkedHashMap<String, Long>>() {},
          shape -> {
            for (String name : text.columns().keySet()) {
              long size = shape.getOrDefault(name, 0L);
              if (size < 1) {
                throw new IllegalArgumentException(
                    Text.of("%s is %d, expected a positive whole number", name, size));
              }
            }
            shapes.add(shape);
          });
      if (shapes.isEmpty()) {
        throw new MalformedFileException(
            path, "has no requests, expected " + HEADER + " and a row for each");
      }
      return shapes;
    }
  }
}
