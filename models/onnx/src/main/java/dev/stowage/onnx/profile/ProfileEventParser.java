package dev.stowage.onnx.profile;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.onnx.profile.ProfiledOperator.ArenaStatistics;
import dev.stowage.onnx.profile.ProfiledOperator.Tensors;
import dev.stowage.plan.MalformedFileException;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/**
 * A parser of the profile that ONNX Runtime writes: a JSON array of trace events.
 *
 * <p>The memory of the parser does not depend on the length of the file.
 */
public final class ProfileEventParser {

  private static final String EXPECTED = "expected a profile of ONNX Runtime";
  private static final String OPERATOR_SUFFIX = "_kernel_time";
  private static final String RUN = "model_run";
  private static final int MAX_TENSORS = 100_000;
  private static final int MAX_DIMENSIONS = 1000;

  /** The element types by their names in a profile. */
  private static final Map<String, ElementType> TYPES = types();

  private final String source;
  private final JsonParser json;
  private final ProfileListener listener;

  private long eventCount;

  /** The texts and numbers of the event and of its arguments. */
  private final Map<String, String> properties = new HashMap<>();

  private List<ValueType.Tensor> inputs = List.of();
  private List<ValueType.Tensor> outputs = List.of();

  private ProfileEventParser(String source, JsonParser json, ProfileListener listener) {
    this.source = source;
    this.json = json;
    this.listener = listener;
  }

  /**
   * Passes the operators and runs of a profile to a listener.
   *
   * @param source the name of the file in messages
   * @param profile the file, which this method does not close
   * @return true if the file is complete; false if it ends within an event
   * @throws MalformedFileException if the file is not a profile
   * @throws IOException if the file cannot be read
   */
  public static boolean parse(String source, Reader profile, ProfileListener listener)
      throws IOException {
    EndReader text = new EndReader(profile);
    try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      ProfileEventParser parser = new ProfileEventParser(source, json, listener);
      try {
        parser.parse();
        return true;
      } catch (JacksonIOException e) {
        throw e.getCause();
      } catch (NumberFormatException e) {
        throw parser.malformed(
            "has a number that is not a whole number of 64 bits: "
                + MalformedFileException.excerpt(String.valueOf(e.getMessage())));
      } catch (JacksonException e) {
        if (text.isEnd(json.currentLocation().getCharOffset())) {
          return false;
        }
        throw parser.malformed("is not JSON: " + e.getOriginalMessage());
      }
    }
  }

  /** A reader that knows where the text ends. */
  private static final class EndReader extends FilterReader {

    private long charCount;
    private boolean hasEnded;

    EndReader(Reader text) {
      super(text);
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, length);
      hasEnded |= count < 0;
      charCount += Math.max(0, count);
      return count;
    }

    /** {@return true if the text ends at a character} */
    boolean isEnd(long offset) {
      return hasEnded && offset >= charCount;
    }

    @Override
    public void close() {
      // The caller closes the text.
    }
  }

  private static Map<String, ElementType> types() {
    Map<String, ElementType> types = new HashMap<>();
    for (ElementType type : ElementType.values()) {
      types.put(type.name().toLowerCase(Locale.ROOT), type);
    }
    return Map.copyOf(types);
  }

  private void parse() throws MalformedFileException {
    JsonToken first = json.nextToken();
    if (first == null) {
      throw new MalformedFileException(
          source, "is empty; ONNX Runtime writes a profile when the session ends it, or is closed");
    }
    expect(first == JsonToken.START_ARRAY, "is not a list of events");
    JsonToken token = next();
    while (token != JsonToken.END_ARRAY) {
      eventCount++;
      expect(token == JsonToken.START_OBJECT, "is not an object");
      readEvent();
      report();
      token = next();
    }
    if (json.nextToken() != null) {
      throw new MalformedFileException(
          source, "has text after the list of events, expected the end of the file");
    }
  }

  /** {@return the next token, which exists} */
  private JsonToken next() {
    JsonToken token = json.nextToken();
    if (token == null) {
      throw new UnexpectedEndOfInputException(json, null, "the end of the file");
    }
    return token;
  }

  private void readEvent() throws MalformedFileException {
    properties.clear();
    inputs = List.of();
    outputs = List.of();
    while (next() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      JsonToken value = next();
      if (key.equals("args")) {
        expect(value == JsonToken.START_OBJECT, "has arguments that are not an object");
        readArguments();
      } else {
        readProperty(key, value);
      }
    }
  }

  private void readProperty(String key, JsonToken value) {
    if (value.isScalarValue()) {
      properties.put(key, json.getString());
    } else {
      skip();
    }
  }

  private void skip() {
    int depth = 1;
    while (depth > 0) {
      JsonToken token = next();
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
    }
  }

  private void readArguments() throws MalformedFileException {
    while (next() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      JsonToken value = next();
      switch (key) {
        case "input_type_shape" -> inputs = readTensors(value);
        case "output_type_shape" -> outputs = readTensors(value);
        default -> readProperty(key, value);
      }
    }
  }

  /** Reads tensors as in {@code [{"float":[2,3]},{"int64":[]}]}. */
  private List<ValueType.Tensor> readTensors(JsonToken start) throws MalformedFileException {
    expect(start == JsonToken.START_ARRAY, "has types that are not a list");
    List<ValueType.Tensor> tensors = new ArrayList<>();
    while (next() != JsonToken.END_ARRAY) {
      expect(json.currentToken() == JsonToken.START_OBJECT, "has a type that is not an object");
      expect(next() == JsonToken.PROPERTY_NAME, "has a type without a name");
      int code =
          Optional.ofNullable(TYPES.get(json.currentName())).map(ElementType::code).orElse(0);
      expect(next() == JsonToken.START_ARRAY, "has a shape that is not a list");
      List<Long> dimensions = new ArrayList<>();
      while (next() != JsonToken.END_ARRAY) {
        expect(json.currentToken() == JsonToken.VALUE_NUMBER_INT, "has a size that is no number");
        dimensions.add(size(json.getString()));
        expect(dimensions.size() <= MAX_DIMENSIONS, "has a tensor of more than 1,000 dimensions");
      }
      expect(next() == JsonToken.END_OBJECT, "has a tensor of two types");
      tensors.add(ValueType.Tensor.of(code, dimensions));
      expect(tensors.size() <= MAX_TENSORS, "has an operator with more than 100,000 tensors");
    }
    return tensors;
  }

  private long size(String text) throws MalformedFileException {
    long size = Long.parseLong(text);
    expect(size >= 0, "has a negative size");
    return size;
  }

  /** Passes the event to the listener if it is an operator or a run. */
  private void report() throws MalformedFileException {
    String name = properties.getOrDefault("name", "");
    String category = properties.getOrDefault("cat", "");
    boolean isOperator = category.equals("Node") && name.endsWith(OPERATOR_SUFFIX);
    if (!isOperator && !(category.equals("Session") && name.equals(RUN))) {
      return;
    }
    long start = number("ts");
    long duration = number("dur");
    expect(start <= Long.MAX_VALUE - duration, "ends after 2^63 - 1 microseconds");
    EventTime time = new EventTime(number("tid"), start, start + duration);
    if (!isOperator) {
      listener.run(time);
      return;
    }
    listener.operator(
        new ProfiledOperator(
            name.substring(0, name.length() - OPERATOR_SUFFIX.length()),
            properties.getOrDefault("op_name", ""),
            new Tensors(inputs, outputs),
            number("output_size"),
            arena()),
        time);
  }

  private Optional<ArenaStatistics> arena() throws MalformedFileException {
    if (!properties.containsKey("mem_in_use_peak")) {
      return Optional.empty();
    }
    return Optional.of(
        new ArenaStatistics(
            number("mem_bytes_in_use"),
            Long.parseLong(properties.getOrDefault("mem_in_use_delta", "0")),
            number("mem_in_use_peak")));
  }

  private long number(String key) throws MalformedFileException {
    long number = Long.parseLong(properties.getOrDefault(key, "0"));
    expect(number >= 0, "has a negative number");
    return number;
  }

  private void expect(boolean isMet, String problem) throws MalformedFileException {
    if (!isMet) {
      throw malformed(problem);
    }
  }

  private MalformedFileException malformed(String problem) {
    return eventCount == 0
        ? new MalformedFileException(source, problem + ", " + EXPECTED)
        : new MalformedFileException(source, "event " + eventCount, problem + ", " + EXPECTED);
  }
}
