package dev.stowage.fleet.item;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * A line of a manifest: a file, its dimensions and its options.
 *
 * @param file the file
 * @param dimensions the sizes of each dimension; an item has one of them
 * @param options the options of the command
 */
record ManifestLine(String file, Map<String, List<String>> dimensions, List<String> options) {

  /*
   *   {"file": "a.onnx", "dimensions": {"batch": [1, 8], "seq": 128}, "options": ["--io"]}
   *
   * A dimension has a number, a text such as "1..32", or an array of them.
   */

  private static final String EXPECTED =
      "expected an object such as {\"file\": \"model.onnx\", \"dimensions\": {\"batch\": [1, 8]},"
          + " \"options\": [\"--io\"]}";

  /** The combinations of dimensions of one line. */
  private static final long MAX_SHAPES = 100_000;

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** {@return the content of a line} */
  static ManifestLine parse(String line) throws ItemException {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
      ManifestLine parsed = object(json);
      if (json.nextToken() != null) {
        throw new ItemException("has text after its object, " + EXPECTED);
      }
      return parsed;
    } catch (JacksonException e) {
      throw new ItemException("is not valid JSON: " + e.getOriginalMessage() + "; " + EXPECTED);
    }
  }

  private static ManifestLine object(JsonParser json) throws ItemException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new ItemException("is not an object, " + EXPECTED);
    }
    String file = "";
    Map<String, List<String>> dimensions = Map.of();
    List<String> options = List.of();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "file" -> file = file(json);
        case "dimensions" -> dimensions = dimensions(json);
        case "options" -> options = options(json);
        default ->
            throw new ItemException(
                "has the unknown field '" + name + "', expected file, dimensions and options");
      }
    }
    if (file.isEmpty()) {
      throw new ItemException("has no file, " + EXPECTED);
    }
    ManifestLine line = new ManifestLine(file, dimensions, options);
    long shapes = 1;
    for (List<String> sizes : dimensions.values()) {
      shapes *= sizes.size();
      if (shapes > MAX_SHAPES) {
        throw new ItemException(
            "has more than " + MAX_SHAPES + " combinations of dimensions; divide it");
      }
    }
    return line;
  }

  private static String file(JsonParser json) throws ItemException {
    if (json.currentToken() != JsonToken.VALUE_STRING || json.getString().isEmpty()) {
      throw new ItemException("has a file that is not a path, " + EXPECTED);
    }
    return json.getString();
  }

  private static Map<String, List<String>> dimensions(JsonParser json) throws ItemException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw new ItemException("has dimensions that are not an object, " + EXPECTED);
    }
    Map<String, List<String>> dimensions = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      List<String> sizes = new ArrayList<>();
      if (json.nextToken() == JsonToken.START_ARRAY) {
        while (json.nextToken() != JsonToken.END_ARRAY) {
          sizes.add(scalar("the dimension '" + name + "'", json));
        }
      } else {
        sizes.add(scalar("the dimension '" + name + "'", json));
      }
      if (sizes.isEmpty()) {
        throw new ItemException("has no size of the dimension '" + name + "', " + EXPECTED);
      }
      dimensions.put(name, List.copyOf(sizes));
    }
    return dimensions;
  }

  private static List<String> options(JsonParser json) throws ItemException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw new ItemException("has options that are not an array, " + EXPECTED);
    }
    List<String> options = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      options.add(scalar("the options", json));
    }
    return List.copyOf(options);
  }

  private static String scalar(String place, JsonParser json) throws ItemException {
    return switch (json.currentToken()) {
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getString();
      default ->
          throw new ItemException("has neither a number nor a text in " + place + ", " + EXPECTED);
    };
  }

  /** {@return the options of each item: a combination of the dimensions, and then the options} */
  List<List<String>> combinations() {
    List<List<String>> combinations = new ArrayList<>();
    combinations.add(List.of());
    for (Map.Entry<String, List<String>> dimension : dimensions.entrySet()) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> begun : combinations) {
        for (String size : dimension.getValue()) {
          List<String> next = new ArrayList<>(begun);
          next.add("--dim");
          next.add(dimension.getKey() + "=" + size);
          longer.add(next);
        }
      }
      combinations = longer;
    }
    List<List<String>> complete = new ArrayList<>();
    for (List<String> combination : combinations) {
      List<String> all = new ArrayList<>(combination);
      all.addAll(options);
      complete.add(all);
    }
    return complete;
  }
}
