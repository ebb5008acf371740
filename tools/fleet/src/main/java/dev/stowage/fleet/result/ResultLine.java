package dev.stowage.fleet.result;

import dev.stowage.fleet.item.ItemId;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The line of a result: an object of JSON whose first property is the key. */
final class ResultLine {

  private static final JsonFactory JSON = new JsonFactory();

  private ResultLine() {}

  static String write(Consumer<JsonGenerator> properties) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      properties.accept(json);
      json.writeEndObject();
    }
    return out.toString();
  }

  /** {@return an array of texts} */
  static String array(List<String> texts) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartArray();
      texts.forEach(json::writeString);
      json.writeEndArray();
    }
    return out.toString();
  }

  static void writeItem(ItemId item, JsonGenerator json) {
    json.writeStringProperty("key", item.key());
    json.writeStringProperty("input", item.input());
    json.writeArrayPropertyStart("options");
    item.options().forEach(json::writeString);
    json.writeEndArray();
  }
}
