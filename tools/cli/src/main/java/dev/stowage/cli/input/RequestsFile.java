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
   * @param largest the largest size of each dimension that {@code --dim} sets
   * @throws MalformedFileException if the columns are not these dimensions, or a row has another
   *     number of fields than the first one, or a field is no positive number or too large, or
   *     there is no request
   */
  public static List<Map<String, Long>> read(String path, Map<String, Long> largest)
      throws IOException {
    try (Reader reader = TextInput.open(Path.of(path))) {
      MappedText text = MappedText.ofCsv(path, reader, Map.of(), Set.of(), HEADER);
      checkColumns(path, text.columns().keySet(), largest.keySet());
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
              long most = largest.getOrDefault(name, 0L);
              if (size > most) {
                throw new IllegalArgumentException(
                    Text.of(
                        "%s is %d, expected at most %d as --dim sets it; measure up to the largest request, such as --dim %s=1..%d",
                        name, size, most, name, size));
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

  private static void checkColumns(String path, Set<String> columns, Set<String> dimensions)
      throws MalformedFileException {
    for (String name : columns) {
      if (!dimensions.contains(name)) {
        throw new MalformedFileException(
            path,
            "line 1",
            Text.of(
                "column '%s' is no dimension of --dim, expected %s; remove it, or add --dim %s=1..N",
                MalformedFileException.excerpt(name),
                dimensions.isEmpty() ? "none" : String.join(", ", dimensions),
                MalformedFileException.excerpt(name)));
      }
    }
    for (String name : dimensions) {
      if (!columns.contains(name)) {
        throw new MalformedFileException(
            path, "line 1", Text.of("has no column '%s', expected one for each --dim", name));
      }
    }
  }
}
