package dev.stowage.cli.input;

import com.fasterxml.jackson.annotation.Nulls;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON text that is one object. Its properties are read one by one, as records and collections.
 * Errors name the line and the column.
 *
 * <p>A key of JSON is the name of a component in small letters, with underscores.
 */
public final class JsonText {

  private static final int MAX_NAMED_KEYS = 10;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .withCoercionConfigDefaults(config ->
              config
                  .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail)
                  .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .build();

  private final String source;
  private final JsonParser parser;

  /** The expected values in messages, by the types that stand for them. */
  private final Map<Class<?>, String> expected;

  private final Set<String> ignoredKeys = new TreeSet<>();
  private final ObjectReader reader = MAPPER.reader().withHandler(new UnknownKeys());

  private JsonText(String source, JsonParser parser, Map<Class<?>, String> expected) {
    this.source = source;
    this.parser = parser;
    this.expected = expected;
  }

  /** Collects the keys that no record has, for a note. */
  private final class UnknownKeys extends DeserializationProblemHandler {

    @Override
    public boolean handleUnknownProperty(
        DeserializationContext context,
        JsonParser at,
        ValueDeserializer<?> deserializer,
        Object bean,
        String key) {
      note(key);
      at.skipChildren(); // not the parser of the text, if Jackson has read ahead
      return true;
    }
  }

  /** A reader of a whole text. */
  public interface TextReader<T> {
    T read(JsonText text) throws MalformedFileException;
  }

  /** A reader of the current value, the property of a key. */
  public interface PropertyReader {
    void read(String key) throws MalformedFileException;
  }

  /**
   * {@return the content of a text}
   *
   * @param expected the values in messages that stand for types, such as {@code "a size in bytes"}
   * @throws MalformedFileException if the text is not JSON, has a key twice, or has a value that
   *     the reader rejects
   */
  public static <T> T read(
      String source, Reader in, Map<Class<?>, String> expected, TextReader<T> content)
      throws IOException {
    try (JsonParser parser = MAPPER.createParser(in)) {
      JsonText text = new JsonText(source, parser, expected);
      try {
        return content.read(text);
      } catch (JacksonIOException e) {
        throw e.getCause();
      } catch (JacksonException e) {
        // The parser does not report the location of a text that exceeds a limit.
        TokenStreamLocation location =
            e.getLocation() == null ? parser.currentLocation() : e.getLocation();
        throw new MalformedFileException(source, place(location), JsonErrors.sentence(e));
      }
    }
  }

  /**
   * Reads the properties of the object.
   *
   * @param description the object in messages
   * @throws MalformedFileException if the text is another value or has further ones
   */
  public void readObject(String description, PropertyReader properties)
      throws MalformedFileException {
    if (parser.nextToken() == null) {
      throw new MalformedFileException(source, "is empty, expected " + description);
    }
    if (!parser.hasToken(JsonToken.START_OBJECT)) {
      throw malformed("expected " + description);
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      properties.read(key);
    }
    if (parser.nextToken() != null) {
      throw malformed("there is text after the object, expected the end of the file");
    }
  }

  /**
   * {@return the current value}
   *
   * @param name the name of the value in messages
   */
  public <T> T value(String name, TypeReference<T> type) throws MalformedFileException {
    return value(name, reader.forType(type));
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // the reader has the type
  private <T> T value(String name, ObjectReader values) throws MalformedFileException {
    if (parser.hasToken(JsonToken.VALUE_NULL)) {
      throw malformed(name + " is null, expected a value");
    }
    try {
      return values.readValue(parser);
    } catch (DatabindException | InputCoercionException e) {
      throw malformed(name, e);
    } catch (IllegalArgumentException e) {
      throw malformed(name + " " + e.getMessage());
    }
  }

  /**
   * Reads the elements of the current value, a list, one by one.
   *
   * @param name the name of an element in messages, without its index
   * @param elements throws an {@link IllegalArgumentException} for an element that it rejects
   */
  <T> void readList(String name, Class<T> type, Consumer<T> elements)
      throws MalformedFileException {
    if (!parser.hasToken(JsonToken.START_ARRAY)) {
      throw malformed(Text.of("%ss is %s, expected a list", name, found()));
    }
    ObjectReader values = reader.forType(type);
    for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
      String element = name + " " + index;
      T value = value(element, values);
      try {
        elements.accept(value);
      } catch (IllegalArgumentException e) {
        throw malformed(element + ": " + e.getMessage());
      }
    }
  }

  /** Skips the current value, the property of an unknown key. */
  void ignore(String key) {
    note(key);
    parser.skipChildren();
  }

  private void note(String key) {
    if (ignoredKeys.size() < MAX_NAMED_KEYS) {
      ignoredKeys.add("'" + MalformedFileException.excerpt(key) + "'");
    }
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

  private static String place(TokenStreamLocation location) {
    return Text.of("line %d, column %d", location.getLineNr(), location.getColumnNr());
  }

  private MalformedFileException malformed(String name, JacksonException e) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      String key = step.getPropertyName();
      path.append(key == null ? "[" + step.getIndex() + "]" : (path.isEmpty() ? "" : ".") + key);
    }
    String within = path.isEmpty() || path.charAt(0) == '[' ? "" : ": ";
    String value = name + within + MalformedFileException.excerpt(path.toString());
    if (e.getCause() instanceof IllegalArgumentException cause) {
      return malformed(value + " " + cause.getMessage());
    }
    if (parser.hasToken(JsonToken.END_OBJECT)) {
      return malformed(value + " is missing");
    }
    String wanted =
        switch (e) {
          case InvalidNullException _ -> "a value";
          case InputCoercionException coercion -> expected(coercion.getTargetType());
          case MismatchedInputException mismatch -> expected(mismatch.getTargetType());
          default -> "another value";
        };
    return malformed(Text.of("%s is %s, expected %s", value, found(), wanted));
  }

  private String expected(Class<?> type) {
    if (expected.containsKey(type)) {
      return expected.get(type);
    }
    if (type.isArray() || Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    return switch (type.getSimpleName()) {
      case "long", "Long", "OptionalLong" -> "a whole number below 2^63 in digits";
      case "int" -> "a whole number below 2^31 in digits";
      case "String" -> "a text";
      default -> "an object";
    };
  }

  /** {@return the current value as the file has it, or its kind} */
  private String found() {
    return switch (parser.currentToken()) {
      case START_ARRAY -> "a list";
      case START_OBJECT, PROPERTY_NAME -> "an object";
      case VALUE_STRING -> '"' + MalformedFileException.excerpt(parser.getString()) + '"';
      case null -> "cut short";
      default -> MalformedFileException.excerpt(parser.getString());
    };
  }
}
