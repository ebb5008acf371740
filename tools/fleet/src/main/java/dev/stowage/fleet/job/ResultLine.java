package dev.stowage.fleet.job;

import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A line of the results of a sweep, or of a command.
 *
 * @param input the file
 * @param error the reason if the file has no result
 */
public record ResultLine(String input, Optional<String> error) {

  private static final JsonFactory JSON = new JsonFactory();

  /**
   * {@return the fields of a line; empty if it is not a whole object with an input}
   *
   * @param line a line
   */
  public static Optional<ResultLine> parse(String line) {
    Optional<String> input = Optional.empty();
    Optional<String> error = Optional.empty();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        boolean isText = json.nextToken() == JsonToken.VALUE_STRING;
        if (isText && name.equals("input")) {
          input = Optional.of(json.getString());
        } else if (isText && name.equals("error")) {
          error = Optional.of(json.getString());
        } else {
          json.skipChildren();
        }
      }
    } catch (JacksonException e) {
      // A process that was killed may leave the first part of a line.
      return Optional.empty();
    }
    Optional<String> reason = error;
    return input.map(it -> new ResultLine(it, reason));
  }

  /** {@return the line of a file with a result: an object, or an array of several objects} */
  static String ofResult(String input, List<String> objects) {
    return write(
        input,
        json -> {
          json.writeName("result");
          json.writeRawValue(
              objects.size() == 1 ? objects.get(0) : "[" + String.join(",", objects) + "]");
        });
  }

  /** {@return the line of a file without a result} */
  static String ofError(String input, String error) {
    return write(input, json -> json.writeStringProperty("error", error));
  }

  private static String write(String input, Consumer<JsonGenerator> rest) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), line)) {
      json.writeStartObject();
      json.writeStringProperty("input", input);
      rest.accept(json);
      json.writeEndObject();
    }
    return line.toString();
  }
}
