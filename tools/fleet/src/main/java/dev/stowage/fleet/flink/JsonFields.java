package dev.stowage.fleet.flink;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Single fields of a JSON object in a line, read without the fields after them. */
final class JsonFields {

  private static final JsonFactory JSON = new JsonFactory();

  private JsonFields() {}

  /**
   * {@return the text of a field of the object}
   *
   * @throws IllegalArgumentException if the line has no such field
   */
  static String text(String line, String name) {
    try (JsonParser parser = at(line, name)) {
      return parser.getString();
    }
  }

  /**
   * {@return the integer of a field of the object}
   *
   * @throws IllegalArgumentException if the line has no such field
   */
  static long integer(String line, String name) {
    try (JsonParser parser = at(line, name)) {
      return parser.getLongValue();
    }
  }

  private static JsonParser at(String line, String name) {
    JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line);
    parser.nextToken();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      boolean isFound = parser.currentName().equals(name);
      parser.nextToken();
      if (isFound) {
        return parser;
      }
      parser.skipChildren();
    }
    parser.close();
    throw new IllegalArgumentException("a line has no field '" + name + "': " + line);
  }
}
