package dev.stowage.pages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
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

  /**
   * {@return the data as an element of a page: base64 of a raw deflate stream of JSON, which
   * contains no markup}
   *
   * @param kind the name of the function in the scripts that shows the data
   */
  String script(String kind) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try (OutputStream packing = new DeflaterOutputStream(packed, deflater)) {
      packing.write(JSON.writeValueAsBytes(values));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the output is memory
    } finally {
      deflater.end();
    }
    return "<script type=\"text/plain\" data-kind=\""
        + kind
        + "\" id=\"data\">"
        + Base64.getEncoder().encodeToString(packed.toByteArray())
        + "</script>\n";
  }
}
