package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** The values of a JSON text in their order. Errors name the line and the column. */
public final class JsonValues {

  private static final int MAX_NAMED_KEYS = 10;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(JsonErrors.LIMITS)
          .build();

  private final String source;
  private final JsonParser parser;
  private final Set<String> ignoredKeys = new TreeSet<>();

  private JsonValues(String source, JsonParser parser) {
    this.source = source;
    this.parser = parser;
  }

  /** A reader of a whole text, whose values are before the first one. */
  public interface TextReader<T> {
    T read(JsonValues values) throws MalformedFileException;
  }

  /** A reader of the current value, an element of a list. */
  public interface ElementReader {
    void read() throws MalformedFileException;
  }

  /** A reader of the current value, the property of a key. */
  public interface PropertyReader {
    void read(String key) throws MalformedFileException;
  }

  /**
   * {@return the content of a text}
   *
   * @throws MalformedFileException if the text is not JSON, has a key twice, or has a value that
   *     the reader rejects
   */
  public static <T> T read(String source, Reader in, TextReader<T> reader) throws IOException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), in)) {
      JsonValues values = new JsonValues(source, parser);
      try {
        return reader.read(values);
      } catch (JacksonIOException e) {
        throw e.getCause();
      } catch (JacksonException e) {
        throw values.notJson(e);
      }
    }
  }

  /**
   * Moves to the next value.
   *
   * @return false if the text has no more
   */
  public boolean next() {
    return parser.nextToken() != null;
  }

  /** {@return true if the current value is a text} */
  public boolean isText() {
    return parser.currentToken() == JsonToken.VALUE_STRING;
  }

  boolean isList() {
    return parser.currentToken() == JsonToken.START_ARRAY;
  }

  /**
   * Reads the current value, a list.
   *
   * @param expected the description of the list in the error for another value
   * @throws MalformedFileException if the value is not a list, or the reader rejects an element
   */
  public void readList(String expected, ElementReader reader) throws MalformedFileException {
    expect(JsonToken.START_ARRAY, expected);
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      reader.read();
    }
  }

  /**
   * Reads the current value, an object.
   *
   * @param expected the description of the object in the error for another value
   * @throws MalformedFileException if the value is not an object, or the reader rejects a value
   */
  public void readObject(String expected, PropertyReader reader) throws MalformedFileException {
    expect(JsonToken.START_OBJECT, expected);
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      reader.read(key);
    }
  }

  private void expect(JsonToken token, String expected) throws MalformedFileException {
    if (parser.currentToken() != token) {
      throw malformed("expected " + expected);
    }
  }

  /**
   * {@return the current value, a whole number}
   *
   * @throws MalformedFileException if it is not a whole number below 2^63
   */
  public long number(String key) throws MalformedFileException {
    return number(key, "a whole number below 2^63 in digits");
  }

  /** {@return the current value, a whole number} */
  long number(String key, String expected) throws MalformedFileException {
    return number(key, "is", expected);
  }

  /**
   * {@return the current value, a whole number}
   *
   * @param key the subject of the error for another value
   */
  long number(String key, String verb, String expected) throws MalformedFileException {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT
        || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw malformed(Text.of("%s %s %s, expected %s", key, verb, found(), expected));
    }
    return parser.getLongValue();
  }

  /** {@return the current value as the file has it, or its kind} */
  private String found() {
    return switch (parser.currentToken()) {
      case START_ARRAY -> "a list";
      case START_OBJECT -> "an object";
      case VALUE_STRING -> '"' + MalformedFileException.excerpt(parser.getString()) + '"';
      case null -> "cut short";
      default -> MalformedFileException.excerpt(parser.getString());
    };
  }

  /**
   * {@return the current value, a text or a number}
   *
   * @throws MalformedFileException if it is neither
   */
  public String text(String key) throws MalformedFileException {
    JsonToken token = parser.currentToken();
    if (token != JsonToken.VALUE_STRING
        && token != JsonToken.VALUE_NUMBER_INT
        && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw malformed(Text.of("%s is %s, expected a text or a number", key, found()));
    }
    return parser.getString();
  }

  /** Skips the current value, the property of an unknown key. */
  void ignore(String key) {
    if (ignoredKeys.size() < MAX_NAMED_KEYS) {
      ignoredKeys.add("'" + MalformedFileException.excerpt(key) + "'");
    }
    parser.skipChildren();
  }

  /** {@return a note on unknown keys, if the text has any} */
  List<String> notes() {
    return ignoredKeys.isEmpty()
        ? List.of()
        : List.of("unknown keys are ignored: " + String.join(", ", ignoredKeys));
  }

  /** {@return an error at the current value} */
  public MalformedFileException malformed(String problem) {
    return new MalformedFileException(source, place(), problem);
  }

  /** {@return the place of the current value} */
  String place() {
    return place(parser.currentTokenLocation());
  }

  /** {@return the error for a text that is not JSON} */
  private MalformedFileException notJson(JacksonException e) {
    // The parser does not report the location of a text that exceeds a limit.
    TokenStreamLocation location =
        e.getLocation() == null ? parser.currentLocation() : e.getLocation();
    return new MalformedFileException(source, place(location), JsonErrors.sentence(e));
  }

  private static String place(TokenStreamLocation location) {
    return Text.of("line %d, column %d", location.getLineNr(), location.getColumnNr());
  }
}
