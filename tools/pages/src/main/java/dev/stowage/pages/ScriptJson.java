package dev.stowage.pages;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** JSON for a script element. */
final class ScriptJson {

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .characterEscapes(new Escapes())
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // half a surrogate pair has no encoding
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  private ScriptJson() {}

  /** Writes a content and leaves the writer open. */
  static void write(Writer out, Consumer<JsonGenerator> content) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      content.accept(json);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  /** Writes a property with a number for each row, as {@code columns.js} reads it. */
  static <T> void column(JsonGenerator json, String name, List<T> rows, ToLongFunction<T> value) {
    column(json, name, rows.size(), row -> value.applyAsLong(rows.get(row)));
  }

  /** Writes a property with a number for each row. */
  static void column(JsonGenerator json, String name, int rowCount, IntToLongFunction value) {
    PackedBytes packed = new PackedBytes();
    long previous = 0;
    for (int row = 0; row < rowCount; row++) {
      long now = value.applyAsLong(row);
      packed.number(now - previous);
      previous = now;
    }
    write(json, name, "numbers", rowCount, packed);
  }

  /** Writes a property with a text for each row. */
  static void column(JsonGenerator json, String name, List<String> texts) {
    PackedBytes packed = new PackedBytes();
    try (JsonGenerator list = FACTORY.createGenerator(ObjectWriteContext.empty(), packed)) {
      list.writeStartArray();
      texts.forEach(list::writeString);
      list.writeEndArray();
    }
    write(json, name, "texts", texts.size(), packed);
  }

  private static void write(
      JsonGenerator json, String name, String kind, int rowCount, PackedBytes packed) {
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("column", kind);
    json.writeNumberProperty("count", rowCount);
    json.writeName("data");
    byte[] bytes = packed.finish();
    json.writeBinary(bytes, 0, bytes.length);
    json.writeEndObject();
  }

  /**
   * The escapes of JSON in a script element. Without {@code <}, a text can neither end the element
   * nor open a comment in it.
   */
  private static final class Escapes extends CharacterEscapes {

    private static final long serialVersionUID = 1L;

    private final int[] asciiEscapes = standardAsciiEscapesForJSON();

    Escapes() {
      asciiEscapes['<'] = ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return asciiEscapes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return null; // the standard escape
    }
  }
}
