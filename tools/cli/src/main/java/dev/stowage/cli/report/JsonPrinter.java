package dev.stowage.cli.report;

import java.io.Writer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** An answer as a line of JSON. Lines for people are left out. */
final class JsonPrinter {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private JsonPrinter() {}

  static void print(Answer answer, Writer out) {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      write(answer, json);
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void write(Answer answer, JsonGenerator json) {
    for (Answer.Part part : answer.parts()) {
      switch (part) {
        case Answer.First _, Answer.Line _, Answer.Copy _, Answer.Picture _ -> {}
        case Answer.Field(String name, Figure figure) -> write(name, figure, json);
        case Table<?> table -> write(table, json);
      }
    }
  }

  private static <T> void write(Table<T> table, JsonGenerator json) {
    if (table.name().isEmpty()) {
      return;
    }
    json.writeArrayPropertyStart(table.name());
    for (T row : table.rows()) {
      json.writeStartObject();
      for (Table.Column<T> column : table.namedColumns()) {
        write(column.name(), column.cell().apply(row), json);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(String name, Figure figure, JsonGenerator json) {
    if (!(figure instanceof Figure.None)) {
      json.writeName(name);
      write(figure, json);
    }
  }

  private static void write(Figure figure, JsonGenerator json) {
    switch (figure) {
      case Figure.Bytes(long bytes) -> json.writeNumber(bytes);
      case Figure.Count(long number) -> json.writeNumber(number);
      case Figure.Whole(var number) -> json.writeNumber(number);
      case Figure.Share(double share) -> json.writeNumber(share);
      case Figure.Seconds(double seconds) -> json.writeNumber(seconds);
      case Figure.Decimal(double number) -> json.writeNumber(number);
      case Figure.Text(String text) -> json.writeString(text);
      case Figure.Flag(boolean holds) -> json.writeBoolean(holds);
      case Figure.OnPage _ -> json.writeString(figure.shown());
      case Figure.Longs(long[] numbers) -> json.writeArray(numbers, 0, numbers.length);
      case Figure.Sequence(var figures) -> {
        json.writeStartArray();
        figures.forEach(each -> write(each, json));
        json.writeEndArray();
      }
      case Figure.Group(Answer answer) -> {
        json.writeStartObject();
        write(answer, json);
        json.writeEndObject();
      }
      case Figure.None(), Figure.Null() -> json.writeNull();
    }
  }
}
