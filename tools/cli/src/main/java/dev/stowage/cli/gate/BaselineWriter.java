package dev.stowage.cli.gate;

import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.SortedMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * A writer of baselines as JSON whose differences are easy to review: keys are sorted, each figure,
 * option and record has a line, and a record that is inserted changes only its own line, because
 * its first task counts from that of the record before.
 */
public final class BaselineWriter {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private BaselineWriter() {}

  /**
   * Writes a baseline.
   *
   * @param baseline the entries
   * @param out the file
   * @throws IOException if it cannot be written
   */
  public static void write(Baseline baseline, Writer out) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(new Context(), out)) {
      json.writeStartObject();
      json.writeNumberProperty(BaselineReader.VERSION_KEY, BaselineReader.VERSION);
      baseline
          .commands()
          .forEach((command, entries) -> {
            json.writeObjectPropertyStart(command);
            entries.forEach((key, entry) -> write(key, entry, json));
            json.writeEndObject();
          });
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private static void write(String key, BaselineEntry entry, JsonGenerator json) {
    json.writeObjectPropertyStart(key);
    writeSizes("figures", entry.figures(), json);
    json.writeObjectPropertyStart("options");
    entry.options().forEach(json::writeStringProperty);
    json.writeEndObject();
    if (!entry.parts().isEmpty()) {
      writeSizes("parts", entry.parts(), json);
    }
    json.writeArrayPropertyStart("proved");
    entry.proved().forEach(json::writeString);
    json.writeEndArray();
    json.writeArrayPropertyStart("records");
    long task = 0;
    for (BaselineRecord record : entry.records()) {
      json.writeStartObject();
      json.writeStringProperty("name", record.name());
      json.writeNumberProperty("size", record.size());
      json.writeNumberProperty("starts_after", record.firstTask() - task);
      json.writeNumberProperty("further_tasks", record.furtherTasks());
      json.writeEndObject();
      task = record.firstTask();
    }
    json.writeEndArray();
    if (!entry.weights().isEmpty()) {
      writeSizes("weights", entry.weights(), json);
    }
    json.writeEndObject();
  }

  private static void writeSizes(String key, SortedMap<String, Long> sizes, JsonGenerator json) {
    json.writeObjectPropertyStart(key);
    for (Map.Entry<String, Long> size : sizes.entrySet()) {
      json.writeNumberProperty(size.getKey(), size.getValue());
    }
    json.writeEndObject();
  }

  /** The context of a file, with its layout. */
  private static final class Context extends ObjectWriteContext.Base {

    private final PrettyPrinter printer = new Lines();

    @Override
    public PrettyPrinter getPrettyPrinter() {
      return printer;
    }

    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }
  }

  /** A layout with a line for each value down to a depth, and one line for what is below. */
  private static final class Lines implements PrettyPrinter {

    /** The depth of the records in an entry. */
    private static final int DEPTH = 4;

    private int depth;

    @Override
    public void writeRootValueSeparator(JsonGenerator json) {
      json.writeRaw('\n');
    }

    @Override
    public void writeStartObject(JsonGenerator json) {
      json.writeRaw('{');
      depth++;
    }

    @Override
    public void beforeObjectEntries(JsonGenerator json) {
      indent(json);
    }

    @Override
    public void writeObjectNameValueSeparator(JsonGenerator json) {
      json.writeRaw(": ");
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator json) {
      separate(json);
    }

    @Override
    public void writeEndObject(JsonGenerator json, int count) {
      end(json, count);
      json.writeRaw('}');
    }

    @Override
    public void writeStartArray(JsonGenerator json) {
      json.writeRaw('[');
      depth++;
    }

    @Override
    public void beforeArrayValues(JsonGenerator json) {
      indent(json);
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator json) {
      separate(json);
    }

    @Override
    public void writeEndArray(JsonGenerator json, int count) {
      end(json, count);
      json.writeRaw(']');
    }

    private void separate(JsonGenerator json) {
      json.writeRaw(depth > DEPTH ? ", " : ",");
      indent(json);
    }

    private void indent(JsonGenerator json) {
      if (depth <= DEPTH) {
        json.writeRaw("\n" + "  ".repeat(depth));
      }
    }

    private void end(JsonGenerator json, int count) {
      depth--;
      if (count > 0 && depth < DEPTH) {
        json.writeRaw("\n" + "  ".repeat(depth));
      }
    }
  }
}
