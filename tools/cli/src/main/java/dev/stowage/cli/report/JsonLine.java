package dev.stowage.cli.report;

import java.io.Writer;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** An object of JSON on a line of its own. */
public final class JsonLine {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private JsonLine() {}

  /**
   * Prints an object.
   *
   * @param out the output
   * @param properties writes the properties
   */
  public static void print(Writer out, Consumer<JsonGenerator> properties) {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      properties.accept(json);
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }
}
