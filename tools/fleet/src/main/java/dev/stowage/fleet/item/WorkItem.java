package dev.stowage.fleet.item;

import java.io.Serializable;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * One call of a command on one input.
 *
 * @param key the unique name of the item, which does not depend on the order of the inputs
 * @param input the path of the file
 * @param arguments the command and its options, without the input and the output format
 * @param cost an estimate of the work in milliseconds; not negative
 */
public record WorkItem(String key, String input, List<String> arguments, long cost)
    implements Serializable {

  private static final JsonFactory JSON = new JsonFactory();

  /** Creates an item. */
  public WorkItem {
    if (cost < 0) {
      throw new IllegalArgumentException("cost must not be negative: cost=" + cost);
    }
    arguments = List.copyOf(arguments);
  }

  /** {@return the options of the command} */
  public List<String> options() {
    return arguments.subList(1, arguments.size());
  }

  /** {@return the identity of the item in results} */
  public ItemId id() {
    return new ItemId(key, input, options());
  }

  /** {@return the item as a line of JSON, without the end of the line} */
  public String toJsonLine() {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("key", key);
      json.writeStringProperty("input", input);
      json.writeArrayPropertyStart("arguments");
      arguments.forEach(json::writeString);
      json.writeEndArray();
      json.writeNumberProperty("cost", cost);
      json.writeEndObject();
    }
    return out.toString();
  }

  /**
   * {@return the item of a line of JSON}
   *
   * @param line a result of {@link #toJsonLine}
   * @throws IllegalArgumentException if the line is no such result
   */
  public static WorkItem parse(String line) {
    String key = "";
    String input = "";
    List<String> arguments = new ArrayList<>();
    long cost = 0;
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "key" -> key = json.getString();
          case "input" -> input = json.getString();
          case "cost" -> cost = json.getLongValue();
          default -> {
            while (json.nextToken() == JsonToken.VALUE_STRING) {
              arguments.add(json.getString());
            }
          }
        }
      }
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("not a work item: " + line, e);
    }
    return new WorkItem(key, input, arguments, cost);
  }
}
