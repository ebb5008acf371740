package dev.stowage.cli.input;

import dev.stowage.cli.text.Numbers;
import dev.stowage.core.MalformedFileException;
import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.PlacementConstraints;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReallocationGraph;
import dev.stowage.core.plan.ReuseGraph;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.TextureExtent;
import dev.stowage.core.plan.TextureUsageRecord;
import dev.stowage.core.plan.UsageGraph;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
 * Reads a problem in JSON: an object with {@code records}, {@code usage_graph} or {@code
 * reallocation_graph}, {@code capacity}.
 */
final class ProblemJsonReader {

  private final String source;
  private final JsonParser parser;

  /** Empty if offsets are pins. */
  private final Optional<PlanOffsets> plan;

  private final Set<String> ignoredKeys = new TreeSet<>();
  private final List<RecordLabel> labels = new ArrayList<>();
  private final List<TensorUsageRecord> tensors = new ArrayList<>();
  private final List<TextureUsageRecord> textures = new ArrayList<>();
  private Optional<int[][]> usageGraph = Optional.empty();
  private Optional<int[][]> reallocationGraph = Optional.empty();
  private boolean hasRecords;
  private OptionalLong capacity = OptionalLong.empty();

  private ProblemJsonReader(String source, JsonParser parser, Optional<PlanOffsets> plan) {
    this.source = source;
    this.parser = parser;
    this.plan = plan;
  }

  static PlanInput read(String source, Reader reader) throws IOException {
    return read(source, reader, Optional.empty());
  }

  static PlacedInput readPlan(String source, Reader reader) throws IOException {
    PlanOffsets plan = new PlanOffsets();
    return switch (read(source, reader, Optional.of(plan))) {
      case PlanInput.Tensors tensors -> new PlacedInput(tensors, plan.toAssignment());
      case PlanInput.Textures textures ->
          throw new MalformedFileException(
              source, "has textures, which have no offsets; expected sizes in bytes");
    };
  }

  private static PlanInput read(String source, Reader reader, Optional<PlanOffsets> plan)
      throws IOException {
    JsonFactory factory =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(JsonErrors.LIMITS)
            .build();
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), reader)) {
      ProblemJsonReader problem = new ProblemJsonReader(source, parser, plan);
      try {
        return problem.read();
      } catch (JacksonIOException e) {
        throw e.getCause();
      } catch (JacksonException e) {
        throw problem.notJson(e);
      }
    }
  }

  private MalformedFileException notJson(JacksonException e) {
    // Of a limit that is passed, the parser does not say where.
    TokenStreamLocation location =
        e.getLocation() == null ? parser.currentLocation() : e.getLocation();
    return new MalformedFileException(source, place(location), JsonErrors.sentence(e));
  }

  private PlanInput read() throws MalformedFileException {
    if (parser.nextToken() == null) {
      throw new MalformedFileException(
          source, "is empty, expected an object with the key 'records'");
    }
    expect(JsonToken.START_OBJECT, "an object with the key 'records'");
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      switch (key) {
        case "records" -> readRecords();
        case "usage_graph" -> usageGraph = Optional.of(indexLists(key));
        case "reallocation_graph" -> reallocationGraph = Optional.of(indexLists(key));
        case "capacity" -> capacity = OptionalLong.of(capacity());
        default -> ignore(key);
      }
    }
    if (parser.nextToken() != null) {
      throw malformed("there is more behind the problem, expected one JSON object");
    }
    if (!hasRecords) {
      throw new MalformedFileException(source, "has no key 'records', expected a list of records");
    }
    return input();
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (!ignoredKeys.isEmpty()) {
      notes.add("keys that mean nothing here are ignored: " + String.join(", ", ignoredKeys));
    }
    return notes;
  }

  private PlanInput input() throws MalformedFileException {
    long lastTask =
        Math.max(
            tensors.stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(-1),
            textures.stream().mapToLong(TextureUsageRecord::lastTask).max().orElse(-1));
    InputFile file = new InputFile(source, "json", lastTask + 1, capacity, notes());
    try {
      if (!textures.isEmpty()) {
        PlanInput.Textures input = new PlanInput.Textures(file, labels, textures, graph());
        input.planned(); // refuses a graph that is not of these textures
        return input;
      }
      return new PlanInput.Tensors(file, labels, new PlanProblem(tensors, 1, graph()));
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(source, String.valueOf(e.getMessage()));
    }
  }

  private long capacity() throws MalformedFileException {
    long bytes = number("capacity", "whole bytes in digits, such as 1000");
    if (bytes < 0) {
      throw malformed(
          String.format(Locale.ROOT, "capacity is %d, expected 0 or more bytes", bytes));
    }
    return bytes;
  }

  private Optional<ReuseGraph> graph() throws MalformedFileException {
    if (usageGraph.isPresent() && reallocationGraph.isPresent()) {
      throw new MalformedFileException(
          source, "has both a usage_graph and a reallocation_graph, expected one of them");
    }
    Optional<int[][]> lists = usageGraph.or(() -> reallocationGraph);
    if (lists.isPresent() && lists.get().length != labels.size()) {
      // A graph takes the square of its lists, so that a wrong number of them is told first.
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "%s has %s for %s, expected one for each",
              usageGraph.isPresent() ? "usage_graph" : "reallocation_graph",
              Numbers.count(lists.get().length, "list"),
              Numbers.count(labels.size(), "record")));
    }
    return usageGraph
        .<ReuseGraph>map(UsageGraph::of)
        .or(() -> reallocationGraph.map(ReallocationGraph::of));
  }

  private void readRecords() throws MalformedFileException {
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

  private void readRecord(int index) throws MalformedFileException {
    Fields fields = new Fields();
    try {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String key = parser.currentName();
        parser.nextToken();
        readField(key, fields);
      }
      addRecord(index, fields);
    } catch (IllegalArgumentException e) {
      throw malformed(String.format(Locale.ROOT, "record %d: %s", index, e.getMessage()));
    }
  }

  private void readField(String key, Fields fields) throws MalformedFileException {
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

  private void addRecord(int index, Fields fields) throws MalformedFileException {
    if (fields.size.isEmpty() || fields.firstTask.isEmpty() || fields.lastTask.isEmpty()) {
      throw malformed(String.format(Locale.ROOT, "record %d lacks %s", index, fields.missing()));
    }
    long firstTask = fields.firstTask.getAsLong();
    long lastTask = fields.lastTask.getAsLong();
    if (lastTask == Long.MAX_VALUE) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "record %d: last_task is %d, expected less than 2^63 - 1",
              index,
              lastTask));
    }
    checkOrder(firstTask, lastTask);
    if (fields.hint.orElse(0) < 0) {
      throw new IllegalArgumentException("a hint is negative: hint=" + fields.hint.getAsLong());
    }
    boolean isTexture = fields.size.size() > 1;
    long bytes = fields.size.getFirst();
    for (Gap gap : fields.gaps) {
      if (!isTexture && 0 <= bytes && bytes < gap.windowEnd()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the window [%d, %d] of a gap leaves the record of %s",
                gap.windowStart(),
                gap.windowEnd(),
                Numbers.count(bytes, "byte")));
      }
    }
    if (isTexture) {
      if (fields.alignment != 1
          || fields.offset.isPresent()
          || fields.hint.isPresent()
          || !fields.gaps.isEmpty()) {
        throw malformed(
            String.format(
                Locale.ROOT, "record %d: a texture has no alignment, offset, hint or gaps", index));
      }
      textures.add(new TextureUsageRecord(extent(fields.size), firstTask, lastTask));
      checkAlike(index);
    } else {
      PlacementConstraints constraints =
          PlacementConstraints.none().withAlignment(fields.alignment).withGaps(fields.gaps);
      if (plan.isEmpty() && fields.offset.isPresent()) {
        constraints = constraints.pinnedAt(fields.offset.getAsLong());
      }
      if (fields.hint.isPresent()) {
        constraints = constraints.withHint(fields.hint.getAsLong());
      }
      tensors.add(
          TensorUsageRecord.of(fields.size.getFirst(), firstTask, lastTask)
              .withConstraints(constraints));
      plan.ifPresent(offsets -> offsets.add(fields.offset, tensors.getLast().bytes()));
    }
    if (!tensors.isEmpty() && !textures.isEmpty()) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "record %d: sizes are bytes in one record, an extent in another",
              index));
    }
    String id = fields.id == null ? Integer.toString(index) : fields.id;
    labels.add(new RecordLabel(id, fields.name == null ? id : fields.name));
  }

  private static void checkOrder(long firstTask, long lastTask) {
    if (firstTask < 0 || firstTask > lastTask) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "first_task is %d and last_task is %d, expected 0 or more, and last_task not before first_task",
              firstTask,
              lastTask));
    }
  }

  private static TextureExtent extent(List<Long> size) {
    return size.size() == 2
        ? TextureExtent.of(size.get(0), size.get(1))
        : TextureExtent.of(size.get(0), size.get(1), size.get(2));
  }

  private void checkAlike(int index) throws MalformedFileException {
    boolean first = textures.getFirst().extent().depth().isPresent();
    if (textures.getLast().extent().depth().isPresent() != first) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "record %d: expected %d dimensions, as record 0 has",
              index,
              first ? 3 : 2));
    }
  }

  private List<Long> size() throws MalformedFileException {
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

  private List<Gap> gaps() throws MalformedFileException {
    expect(JsonToken.START_ARRAY, "a list of gaps");
    List<Gap> gaps = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(JsonToken.START_OBJECT, "a gap, an object with first_task and last_task");
      gaps.add(gap());
    }
    return gaps;
  }

  private Gap gap() throws MalformedFileException {
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
          List<Long> window = window();
          windowStart = window.get(0);
          windowEnd = window.get(1);
        }
        default -> ignore(key);
      }
    }
    if (firstTask.isEmpty() || lastTask.isEmpty()) {
      throw malformed("a gap lacks first_task or last_task");
    }
    checkOrder(firstTask.getAsLong(), lastTask.getAsLong());
    return new Gap(firstTask.getAsLong(), lastTask.getAsLong(), windowStart, windowEnd);
  }

  private List<Long> window() throws MalformedFileException {
    expect(JsonToken.START_ARRAY, "a window [start, end]");
    List<Long> window = new ArrayList<>();
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      long number = number("window");
      count++;
      if (count <= 2) {
        window.add(number);
      }
    }
    if (count != 2) {
      throw malformed(
          String.format(
              Locale.ROOT, "window has %s, expected [start, end]", Numbers.count(count, "number")));
    }
    if (window.get(0) < 0 || window.get(0) > window.get(1)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "window is [%d, %d], expected 0 or more, and the end not before the start",
              window.get(0),
              window.get(1)));
    }
    return window;
  }

  /** {@return a list of record indices for each record} */
  private int[][] indexLists(String key) throws MalformedFileException {
    expect(JsonToken.START_ARRAY, "a list of lists of record indices");
    List<int[]> lists = new ArrayList<>();
    int[] indices = new int[16];
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(JsonToken.START_ARRAY, "a list of record indices");
      int count = 0;
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        long index =
            number(String.format(Locale.ROOT, "%s[%d]", key, lists.size()), "holds", indexOf());
        if (index < 0 || index > Integer.MAX_VALUE) {
          throw malformed(
              String.format(Locale.ROOT, "%s names record %d, which does not exist", key, index));
        }
        if (count == indices.length) {
          indices = Arrays.copyOf(indices, 2 * count);
        }
        indices[count++] = (int) index;
      }
      lists.add(Arrays.copyOf(indices, count));
    }
    return lists.toArray(int[][]::new);
  }

  /**
   * {@return the expected content of a graph's list, with the range of indices if records are
   * known}
   */
  private String indexOf() {
    String range =
        switch (labels.size()) {
          case 0 -> "";
          case 1 -> ", 0";
          default -> ", 0 to " + (labels.size() - 1);
        };
    return "the index of a record" + range;
  }

  private long number(String key) throws MalformedFileException {
    return number(key, "a whole number below 2^63 in digits");
  }

  private long number(String key, String expected) throws MalformedFileException {
    return number(key, "is", expected);
  }

  private long number(String key, String verb, String expected) throws MalformedFileException {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT
        || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw malformed(
          String.format(Locale.ROOT, "%s %s %s, expected %s", key, verb, found(), expected));
    }
    return parser.getLongValue();
  }

  /** {@return the value as the file has it, or its kind} */
  private String found() {
    return switch (parser.currentToken()) {
      case START_ARRAY -> "a list";
      case START_OBJECT -> "an object";
      case VALUE_STRING -> '"' + MalformedFileException.excerpt(parser.getString()) + '"';
      case null -> "cut short";
      default -> MalformedFileException.excerpt(parser.getString());
    };
  }

  /** Ids may be numbers, too. */
  private String text(String key) throws MalformedFileException {
    JsonToken token = parser.currentToken();
    if (token != JsonToken.VALUE_STRING
        && token != JsonToken.VALUE_NUMBER_INT
        && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw malformed(String.format(Locale.ROOT, "%s is no text", key));
    }
    return parser.getString();
  }

  private void ignore(String key) {
    if (ignoredKeys.size() < 10) {
      ignoredKeys.add("'" + MalformedFileException.excerpt(key) + "'");
    }
    parser.skipChildren();
  }

  private void expect(JsonToken token, String expected) throws MalformedFileException {
    if (parser.currentToken() != token) {
      throw malformed("expected " + expected);
    }
  }

  private MalformedFileException malformed(String problem) {
    return new MalformedFileException(source, place(parser.currentTokenLocation()), problem);
  }

  private static String place(TokenStreamLocation location) {
    return String.format(
        Locale.ROOT, "line %d, column %d", location.getLineNr(), location.getColumnNr());
  }
}
