package dev.stowage.cli.input;

import com.fasterxml.jackson.annotation.Nulls;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.InjectableValues;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.csv.CsvFactory;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvReadFeature;
import tools.jackson.dataformat.csv.CsvSchema;

/**
 * A text with records as values: one object in JSON, or the rows of CSV below a header. Errors name
 * the line, and in JSON the column.
 *
 * <p>A key is the name of a component in small letters, with underscores. A component with {@code
 * JacksonInject} gets the place of its record.
 */
public final class MappedText {

  private static final int MAX_NAMED_KEYS = 10;

  /** A text without rows, such as a binary file, must not take all memory. */
  private static final int MAX_FIELD_CHARS = 1 << 20;

  /** The parser's notes on places in the text, and its advice to change its settings. */
  private static final Pattern PARSER_NOTES =
      Pattern.compile(
          " \\((start marker|for \\w+ starting) at .*"
              + "|: enable `[^`]*` to allow| \\((consider enabling|not recognized)[^)]*\\)"
              + "|require enabling `[^`]*`|, from `[^`]*`");

  private static final JsonMapper JSON =
      strict(
              JsonMapper.builder(
                  JsonFactory.builder()
                      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                      .build()))
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  private static final CsvMapper CSV =
      strict(
              CsvMapper.builder(
                  CsvFactory.builder()
                      .streamReadConstraints(
                          StreamReadConstraints.builder().maxStringLength(MAX_FIELD_CHARS).build())
                      .build()))
          .enable(
              CsvReadFeature.TRIM_SPACES,
              CsvReadFeature.SKIP_EMPTY_LINES,
              CsvReadFeature.FAIL_ON_MISSING_COLUMNS,
              CsvReadFeature.EMPTY_UNQUOTED_STRING_AS_MISSING)
          .disable(CsvReadFeature.ALLOW_TRAILING_COMMA)
          .build();

  private final String source;
  private final JsonParser parser;

  /** The columns of CSV by their keys, with the names of the header; empty for JSON. */
  private final Map<String, String> columns;

  private final Set<String> ignoredKeys = new TreeSet<>();
  private final ObjectReader reader;

  /** The object or the row in messages. */
  private String description = "a value";

  private long line = 1;

  private MappedText(String source, JsonParser parser, Map<String, String> columns) {
    this.source = source;
    this.parser = parser;
    this.columns = columns;
    reader = (isCsv() ? CSV : JSON).reader().withHandler(new UnknownKeys()).with(new Places());
  }

  private static <M extends ObjectMapper, B extends MapperBuilder<M, B>> B strict(B mapper) {
    return mapper
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
        .withCoercionConfigDefaults(config ->
            config
                .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
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
      if (ignoredKeys.size() < MAX_NAMED_KEYS) {
        ignoredKeys.add(key);
      }
      at.skipChildren(); // not the parser of the text, if Jackson has read ahead
      return true;
    }
  }

  /** The place of a record, for errors that are found later. */
  private final class Places extends InjectableValues {

    @Override
    public Object findInjectableValue(
        DeserializationContext context,
        Object id,
        BeanProperty property,
        Object bean,
        Boolean optional,
        Boolean useInput) {
      return place();
    }

    @Override
    public InjectableValues snapshot() {
      return this;
    }
  }

  /** A receiver of rows. */
  interface Rows<T> {

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if the row is wrong
     */
    void add(T row) throws MalformedFileException;
  }

  /** {@return a text in JSON} */
  public static MappedText ofJson(String source, Reader in) {
    return new MappedText(source, JSON.createParser(in), Map.of());
  }

  /**
   * {@return a text in CSV; its header is read}
   *
   * @param keys the keys of columns by their possible names, in small letters; the key of another
   *     column is its name
   * @param lists the keys of columns with lists, with spaces between the elements
   * @param header the header in messages
   * @throws MalformedFileException if there is no header, or if it has a key twice
   */
  static MappedText ofCsv(
      String source, Reader in, Map<String, String> keys, Set<String> lists, String header)
      throws IOException {
    Map<String, String> columns = new LinkedHashMap<>();
    CsvSchema.Builder schema = CsvSchema.builder();
    for (String name : header(source, in, header)) {
      String key = keys.getOrDefault(name.toLowerCase(Locale.ROOT), name);
      String same = columns.put(key, name);
      if (same != null) {
        throw new MalformedFileException(
            source,
            "line 1",
            Text.of(
                "has the columns '%s' and '%s', expected one of them",
                MalformedFileException.excerpt(same), MalformedFileException.excerpt(name)));
      }
      if (lists.contains(key)) {
        schema.addArrayColumn(key, " ");
      } else {
        schema.addColumn(key);
      }
    }
    JsonParser parser = CSV.reader().with(schema.build()).createParser(in);
    return new MappedText(source, parser, columns);
  }

  private static List<String> header(String source, Reader in, String expected) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n' && line.length() <= MAX_FIELD_CHARS; ) {
      line.append((char) c);
      c = in.read();
    }
    if (line.toString().isBlank()) {
      throw new MalformedFileException(source, "line 1", "is empty, expected " + expected);
    }
    try {
      return CSV.readerForListOf(String.class).readValue(line.toString());
    } catch (JacksonException e) {
      throw new MalformedFileException(source, "line 1", sentence("CSV", e));
    }
  }

  /** {@return the columns of CSV by their keys, with the names of the header} */
  Map<String, String> columns() {
    return columns;
  }

  /** {@return the header of CSV in messages} */
  String header() {
    return "'" + MalformedFileException.excerpt(String.join(",", columns.values())) + "'";
  }

  private boolean isCsv() {
    return !columns.isEmpty();
  }

  /**
   * {@return the object}
   *
   * @param description the object in messages
   * @throws MalformedFileException if the text is not JSON, has a key twice, is no such object, or
   *     has more than one value
   */
  public <T> T object(String description, Class<T> type) throws IOException {
    this.description = description;
    try {
      if (parser.nextToken() == null) {
        throw new MalformedFileException(source, "is empty, expected " + description);
      }
      if (!parser.hasToken(JsonToken.START_OBJECT)) {
        throw malformed("is " + found() + ", expected " + description);
      }
      T object = reader.forType(type).readValue(parser);
      if (parser.nextToken() != null) {
        throw malformed("there is text after the object, expected the end of the file");
      }
      return object;
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  /**
   * Reads the rows of CSV.
   *
   * @throws MalformedFileException if the text is not CSV, or if a row is wrong
   */
  <T> void readRows(TypeReference<T> type, Rows<T> rows) throws IOException {
    ObjectReader values = reader.forType(type);
    try {
      while (parser.nextToken() != null) {
        line = parser.currentLocation().getLineNr() + 1L; // below the header
        T row = values.readValue(parser);
        rows.add(row);
      }
    } catch (JacksonException e) {
      throw malformed(e);
    } catch (IllegalArgumentException e) {
      throw malformed(String.valueOf(e.getMessage()));
    }
  }

  /** {@return a note on unknown keys, if the text has any} */
  List<String> notes() {
    return ignoredKeys.isEmpty()
        ? List.of()
        : List.of(
            ignoredKeys.stream()
                .map(key -> "'" + MalformedFileException.excerpt(key) + "'")
                .collect(
                    Collectors.joining(
                        ", ", "unknown " + (isCsv() ? "columns" : "keys") + " are ignored: ", "")));
  }

  /** {@return an error at the current value or row} */
  MalformedFileException malformed(String problem) {
    return new MalformedFileException(source, place(), problem);
  }

  /** {@return the place of the current value or row} */
  private String place() {
    return isCsv() ? "line " + line : place(parser.currentTokenLocation());
  }

  private static String place(TokenStreamLocation location) {
    return "line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  /** {@return a sentence on a text that is not JSON, without the names of parser settings} */
  public static String notJson(JacksonException e) {
    return sentence("JSON", e);
  }

  private static String sentence(String format, JacksonException e) {
    String problem = PARSER_NOTES.matcher(e.getOriginalMessage()).replaceAll("");
    return "is not " + format + ": " + problem;
  }

  private IOException malformed(JacksonException e) {
    if (e.getCause() instanceof IOException io) {
      return io;
    }
    if (e instanceof DatabindException || e instanceof InputCoercionException) {
      return malformed(problem(e));
    }
    if (isCsv()) {
      // The parser rejects numbers that are too large.
      return malformed(
          e.getPath().isEmpty() ? sentence("CSV", e) : path(e) + ": " + e.getOriginalMessage());
    }
    // The parser does not report the location of a text that exceeds a limit.
    TokenStreamLocation location =
        e.getLocation() == null ? parser.currentLocation() : e.getLocation();
    return new MalformedFileException(source, place(location), notJson(e));
  }

  private String path(JacksonException e) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      String key = step.getPropertyName();
      path.append(
          key == null
              ? "[" + step.getIndex() + "]"
              : (path.isEmpty() ? "" : ".") + columns.getOrDefault(key, key));
    }
    return MalformedFileException.excerpt(path.toString());
  }

  /** {@return a sentence on a value that is not the expected one} */
  private String problem(JacksonException e) {
    String value = path(e);
    if (e.getCause() instanceof IllegalArgumentException cause) {
      return value + " " + cause.getMessage();
    }
    if (parser.hasToken(JsonToken.END_OBJECT)) {
      return value + " is missing, expected " + (e.getPath().size() == 1 ? description : "a value");
    }
    String wanted =
        switch (e) {
          case InvalidNullException _ -> "a value";
          case InputCoercionException coercion -> expected(coercion.getTargetType());
          case MismatchedInputException mismatch -> expected(mismatch.getTargetType());
          default -> "another value";
        };
    return Text.of("%s is %s, expected %s", value, found(), wanted);
  }

  private static String expected(Class<?> type) {
    if (type.isArray() || Collection.class.isAssignableFrom(type)) {
      return "values in a list";
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
