package dev.stowage.pages;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** Data for the scripts of a page: named values. Most of them have a number for each row. */
final class Columns {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // half a surrogate pair has no encoding
          .build();

  private final Map<String, Object> values = new LinkedHashMap<>();

  /** Adds a text, a number, a list, or other columns. */
  Columns add(String name, Object value) {
    values.put(name, value instanceof Columns columns ? columns.values : value);
    return this;
  }

  /** Adds a number for each row. */
  <T> Columns add(String name, List<T> rows, ToLongFunction<T> value) {
    return add(name, rows.stream().mapToLong(value).toArray());
  }

  /** Adds a number for each row. */
  Columns add(String name, int rowCount, IntToLongFunction value) {
    return add(name, IntStream.range(0, rowCount).mapToLong(value).toArray());
  }

  Map<String, Object> values() {
    return values;
  }

  /** {@return the data as JSON} */
  byte[] json() {
    return JSON.writeValueAsBytes(values);
  }
}
