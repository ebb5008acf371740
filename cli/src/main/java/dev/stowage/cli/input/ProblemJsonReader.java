package dev.stowage.cli.input;

import dev.stowage.core.MalformedInputException;
import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.TextureExtent;
import dev.stowage.core.plan.TextureUsageRecord;
import dev.stowage.core.plan.UsageGraph;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a problem in JSON: an object with {@code records}, {@code usage_graph}, {@code capacity}.
 */
final class ProblemJsonReader {

  private final String source;
  private final JsonParser parser;

  private final Set<String> ignoredKeys = new TreeSet<>();
  private final List<RecordLabel> labels = new ArrayList<>();
  private final List<TensorUsageRecord> tensors = new ArrayList<>();
  private final List<TextureUsageRecord> textures = new ArrayList<>();
  private final List<List<Integer>> usageGraph = new ArrayList<>();
  private boolean hasRecords;
  private boolean hasUsageGraph;
  private OptionalLong capacity = OptionalLong.empty();

  private ProblemJsonReader(String source, JsonParser parser) {
    this.source = source;
    this.parser = parser;
  }

  static PlanInput read(String source, Reader reader) throws IOException {
    JsonFactory factory =
        JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), reader)) {
      ProblemJsonReader problem = new ProblemJsonReader(source, parser);
      try {
        return problem.read();
      } catch (JacksonIOException e) {
        throw e.getCause();
      } catch (JacksonException e) {
        throw problem.notJson(e);
      }
    }
  }

  private MalformedInputException notJson(JacksonException e) {
    // Of a limit that is passed, the parser does not say where.
    TokenStreamLocation location =
        e.getLocation() == null ? parser.currentLocation() : e.getLocation();
    return new MalformedInputException(
        source, place(location), "is not JSON: " + withoutMarker(e.getOriginalMessage()));
  }

  /** The parser also says where a list or an object began, but without its place. */
  private static String withoutMarker(String message) {
    return message.replaceFirst(" \\(start marker at .*", "");
  }

  private PlanInput read() throws MalformedInputException {
    if (parser.nextToken() == null) {
      throw new MalformedInputException(
          source, "is empty, expected an object with the key 'records'");
    }
    expect(JsonToken.START_OBJECT, "an object with the key 'records'");
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      switch (key) {
        case "records" -> readRecords();
        case "usage_graph" -> readUsageGraph();
        case "capacity" -> capacity = OptionalLong.of(number("capacity"));
        default -> ignore(key);
      }
    }
    if (parser.nextToken() != null) {
      throw malformed("there is more behind the problem, expected one JSON object");
    }
    if (!hasRecords) {
      throw new MalformedInputException(source, "has no key 'records', expected a list of records");
    }
    return input();
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (!ignoredKeys.isEmpty()) {
      notes.add("keys that mean nothing here are ignored: " + String.join(", ", ignoredKeys));
    }
    if (hasUsageGraph && !textures.isEmpty()) {
      notes.add("the usage_graph is ignored, as textures are planned without one");
    }
    return notes;
  }

  private PlanInput input() throws MalformedInputException {
    long lastTask =
        Math.max(
            tensors.stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(-1),
            textures.stream().mapToLong(TextureUsageRecord::lastTask).max().orElse(-1));
    InputFile file = new InputFile(source, "json", lastTask + 1, capacity, notes());
    if (!textures.isEmpty()) {
      return new PlanInput.Textures(file, labels, textures);
    }
    try {
      Optional<UsageGraph> graph =
          hasUsageGraph ? Optional.of(UsageGraph.of(usageGraph)) : Optional.empty();
      return new PlanInput.Tensors(file, labels, new PlanProblem(tensors, 1, graph));
    } catch (IllegalArgumentException e) {
      throw new MalformedInputException(source, String.valueOf(e.getMessage()));
    }
  }

  private void readRecords() throws MalformedInputException {
    hasRecords = true;
    expect(JsonToken.START_ARRAY, "a list of records");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(JsonToken.START_OBJECT, "a record, an object with size, first_task and last_task");
      readRecord(labels.size());
    }
  }

  /** What a record may say, while it is read. */
  private static final class Fields {
    private @Nullable String id;
    private @Nullable String name;
    private List<Long> size = List.of();
    private OptionalLong firstTask = OptionalLong.empty();
    private OptionalLong lastTask = OptionalLong.empty();
    private long alignment = 1;
    private OptionalLong offset = OptionalLong.empty();
    private OptionalLong hint = OptionalLong.empty();
    private List<Gap> gaps = List.of();

    String missing() {
      List<String> missing = new ArrayList<>();
      if (size.isEmpty()) {
        missing.add("size");
      }
      if (firstTask.isEmpty()) {
        missing.add("first_task");
      }
      if (lastTask.isEmpty()) {
        missing.add("last_task");
      }
      return String.join(" and ", missing);
    }
  }

  private void readRecord(int index) throws MalformedInputException {
    Fields fields = new Fields();
    try {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String key = parser.currentName();
        parser.nextToken();
        readField(key, fields);
      }
      addRecord(index, fields);
    } catch (IllegalArgumentException e) {
      throw malformed("record %d: %s".formatted(index, e.getMessage()));
    }
  }

  private void readField(String key, Fields fields) throws MalformedInputException {
    switch (key) {
      case "size" -> fields.size = size();
      case "first_task" -> fields.firstTask = OptionalLong.of(number(key));
      case "last_task" -> fields.lastTask = OptionalLong.of(number(key));
      case "id" -> fields.id = text(key);
      case "name" -> fields.name = text(key);
      case "alignment" -> fields.alignment = number(key);
      case "offset" -> fields.offset = OptionalLong.of(number(key));
      case "hint" -> fields.hint = OptionalLong.of(number(key));
      case "gaps" -> fields.gaps = gaps();
      default -> ignore(key);
    }
  }

  private void addRecord(int index, Fields fields) throws MalformedInputException {
    if (fields.size.isEmpty() || fields.firstTask.isEmpty() || fields.lastTask.isEmpty()) {
      throw malformed("record %d lacks %s".formatted(index, fields.missing()));
    }
    long firstTask = fields.firstTask.getAsLong();
    long lastTask = fields.lastTask.getAsLong();
    if (lastTask == Long.MAX_VALUE) {
      throw malformed(
          "record %d: last_task is %d, expected less than 2^63 - 1".formatted(index, lastTask));
    }
    boolean isTexture = fields.size.size() > 1;
    if (isTexture) {
      if (fields.alignment != 1
          || fields.offset.isPresent()
          || fields.hint.isPresent()
          || !fields.gaps.isEmpty()) {
        throw malformed(
            "record %d: a texture has no alignment, offset, hint or gaps".formatted(index));
      }
      textures.add(new TextureUsageRecord(extent(fields.size), firstTask, lastTask));
      checkAlike(index);
    } else {
      tensors.add(
          new TensorUsageRecord(
              fields.size.getFirst(),
              firstTask,
              lastTask,
              fields.alignment,
              fields.offset,
              fields.hint,
              fields.gaps));
    }
    if (!tensors.isEmpty() && !textures.isEmpty()) {
      throw malformed(
          "record %d: sizes are bytes in one record, an extent in another".formatted(index));
    }
    String id = fields.id == null ? Integer.toString(index) : fields.id;
    labels.add(new RecordLabel(id, fields.name == null ? id : fields.name));
  }

  private static TextureExtent extent(List<Long> size) {
    return size.size() == 2
        ? TextureExtent.of(size.get(0), size.get(1))
        : TextureExtent.of(size.get(0), size.get(1), size.get(2));
  }

  private void checkAlike(int index) throws MalformedInputException {
    boolean first = textures.getFirst().extent().depth().isPresent();
    if (textures.getLast().extent().depth().isPresent() != first) {
      throw malformed(
          "record %d: expected %d dimensions, as record 0 has".formatted(index, first ? 3 : 2));
    }
  }

  private List<Long> size() throws MalformedInputException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      return List.of(number("size"));
    }
    List<Long> size = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY && size.size() < 4) {
      size.add(number("size"));
    }
    if (size.size() < 2 || size.size() > 3) {
      throw malformed("size is a list, expected [width, height] or [width, height, depth]");
    }
    return size;
  }

  private List<Gap> gaps() throws MalformedInputException {
    expect(JsonToken.START_ARRAY, "a list of gaps");
    List<Gap> gaps = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(JsonToken.START_OBJECT, "a gap, an object with first_task and last_task");
      gaps.add(gap());
    }
    return gaps;
  }

  private Gap gap() throws MalformedInputException {
    OptionalLong firstTask = OptionalLong.empty();
    OptionalLong lastTask = OptionalLong.empty();
    long windowStart = 0;
    long windowEnd = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      switch (key) {
        case "first_task" -> firstTask = OptionalLong.of(number(key));
        case "last_task" -> lastTask = OptionalLong.of(number(key));
        case "window" -> {
          expect(JsonToken.START_ARRAY, "a window [start, end]");
          parser.nextToken();
          windowStart = number(key);
          parser.nextToken();
          windowEnd = number(key);
          parser.nextToken();
          expect(JsonToken.END_ARRAY, "a window [start, end]");
        }
        default -> ignore(key);
      }
    }
    if (firstTask.isEmpty() || lastTask.isEmpty()) {
      throw malformed("a gap lacks first_task or last_task");
    }
    return new Gap(firstTask.getAsLong(), lastTask.getAsLong(), windowStart, windowEnd);
  }

  private void readUsageGraph() throws MalformedInputException {
    hasUsageGraph = true;
    expect(JsonToken.START_ARRAY, "a list of lists of record indices");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(JsonToken.START_ARRAY, "a list of record indices");
      List<Integer> dependents = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        long index = number("usage_graph");
        if (index < 0 || index > Integer.MAX_VALUE) {
          throw malformed("usage_graph names record %d, which does not exist".formatted(index));
        }
        dependents.add((int) index);
      }
      usageGraph.add(dependents);
    }
  }

  private long number(String key) throws MalformedInputException {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT
        || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw malformed("%s is no whole number below 2^63".formatted(key));
    }
    return parser.getLongValue();
  }

  /** Ids may be numbers, too. */
  private String text(String key) throws MalformedInputException {
    JsonToken token = parser.currentToken();
    if (token != JsonToken.VALUE_STRING
        && token != JsonToken.VALUE_NUMBER_INT
        && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw malformed("%s is no text".formatted(key));
    }
    return parser.getString();
  }

  private void ignore(String key) {
    if (ignoredKeys.size() < 10) {
      ignoredKeys.add("'" + MalformedInputException.excerpt(key) + "'");
    }
    parser.skipChildren();
  }

  private void expect(JsonToken token, String expected) throws MalformedInputException {
    if (parser.currentToken() != token) {
      throw malformed("expected " + expected);
    }
  }

  private MalformedInputException malformed(String problem) {
    return new MalformedInputException(source, place(parser.currentTokenLocation()), problem);
  }

  private static String place(TokenStreamLocation location) {
    return "line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
  }
}
