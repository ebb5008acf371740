package dev.stowage.fleet.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** An object of JSON without its long arrays, which summaries do not need. */
final class JsonTree {

  private static final JsonFactory JSON = new JsonFactory();

  /** The properties with an element for each tensor or operator. */
  private static final Set<String> LONG =
      Set.of("records", "tasks", "offsets", "object_ids", "object_sizes", "operators", "regions");

  private final Map<String, Object> properties;

  private JsonTree(Map<String, Object> properties) {
    this.properties = properties;
  }

  /**
   * {@return the object of a text}
   *
   * @throws IllegalArgumentException if the text is no object
   */
  static JsonTree parse(String text) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("not an object");
      }
      return object(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("not valid JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static JsonTree object(JsonParser json) {
    Map<String, Object> properties = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken token = json.nextToken();
      if (token == JsonToken.START_ARRAY && LONG.contains(name)) {
        json.skipChildren();
      } else {
        value(json).ifPresent(value -> properties.put(name, value));
      }
    }
    return new JsonTree(properties);
  }

  private static Optional<Object> value(JsonParser json) {
    return switch (json.currentToken()) {
      case START_OBJECT -> Optional.of(object(json));
      case START_ARRAY -> Optional.of(array(json));
      case VALUE_STRING -> Optional.of(json.getString());
      case VALUE_NUMBER_INT -> Optional.of(json.getNumberValue().longValue());
      case VALUE_NUMBER_FLOAT -> Optional.of(json.getDoubleValue());
      case VALUE_TRUE -> Optional.of(true);
      case VALUE_FALSE -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  private static List<Object> array(JsonParser json) {
    List<Object> elements = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      value(json).ifPresent(elements::add);
    }
    return elements;
  }

  boolean has(String name) {
    return properties.containsKey(name);
  }

  boolean isTrue(String name) {
    return Boolean.TRUE.equals(properties.get(name));
  }

  OptionalLong number(String name) {
    return properties.get(name) instanceof Long number
        ? OptionalLong.of(number)
        : OptionalLong.empty();
  }

  double decimal(String name) {
    return properties.get(name) instanceof Number number ? number.doubleValue() : 0;
  }

  String text(String name) {
    return properties.get(name) instanceof String text ? text : "";
  }

  Optional<JsonTree> object(String name) {
    return properties.get(name) instanceof JsonTree object ? Optional.of(object) : Optional.empty();
  }

  /** {@return the objects of an array, or the object itself; none if there is neither} */
  List<JsonTree> objects(String name) {
    List<JsonTree> objects = new ArrayList<>();
    object(name).ifPresent(objects::add);
    if (properties.get(name) instanceof List<?> elements) {
      for (Object element : elements) {
        if (element instanceof JsonTree object) {
          objects.add(object);
        }
      }
    }
    return objects;
  }

  List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    if (properties.get(name) instanceof List<?> elements) {
      for (Object element : elements) {
        if (element instanceof String text) {
          texts.add(text);
        }
      }
    }
    return texts;
  }
}
