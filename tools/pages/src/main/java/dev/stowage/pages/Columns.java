package dev.stowage.pages;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** Data for the scripts of a page: named values, of which most have a number for each row. */
final class Columns {

  private static final JsonFactory JSON =
      JsonFactory.builder()
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

  /** Writes values as JSON. */
  static void write(Map<String, Object> values, OutputStream out) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      write(values, json);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private static void write(Object value, JsonGenerator json) {
    switch (value) {
      case Map<?, ?> properties -> {
        json.writeStartObject();
        properties.forEach((name, inner) -> {
          json.writeName((String) name);
          write(inner, json);
        });
        json.writeEndObject();
      }
      case List<?> elements -> {
        json.writeStartArray();
        elements.forEach(element -> write(element, json));
        json.writeEndArray();
      }
      case long[] numbers -> json.writeArray(numbers, 0, numbers.length);
      case Number number -> json.writeNumber(number.longValue());
      case Boolean flag -> json.writeBoolean(flag);
      default -> json.writeString((String) value);
    }
  }
}
